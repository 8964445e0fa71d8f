import type { Socket } from 'node:net'
import type { Computers } from './computers.ts'

const POLL_MS = 250

export function disconnectOnStop(socket: Socket, uid: string, computers: Computers): void {
  const restarts = computers.restarts(uid)
  const timer = setInterval(() => {
    if (!socket.destroyed && (!computers.isRunning(uid) || computers.restarts(uid) !== restarts)) socket.destroy()
  }, POLL_MS)
  socket.on('close', () => clearInterval(timer))
}
