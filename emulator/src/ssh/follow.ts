import type { Socket } from 'node:net'
import type { Computers } from '#src/ssh/computers.ts'

/** How often a connected machine is looked at: one that stopped or was restarted takes its connections with it. */
const LOOK_MS = 250

/** Cuts a connection once its machine stops or restarts. */
export function followMachine(socket: Socket, uid: string, computers: Computers): void {
  const restarts = computers.restarts(uid)
  const looking = setInterval(() => {
    if (!socket.destroyed && (!computers.runs(uid) || computers.restarts(uid) !== restarts)) socket.destroy()
  }, LOOK_MS)
  socket.on('close', () => clearInterval(looking))
}
