import type { Socket } from 'node:net'
import type { ReachableMachine } from './reachable-machine.ts'

/** Port of each system's server for remote access. */
export const PORTS = { Linux: 22, Windows: 3389 } as const

/** Programs inside the machines. */
export interface Programs {
  /** Returns what serves a connection to a port; null: no program listens at it. */
  at(found: ReachableMachine, port: number): ((socket: Socket) => void) | null
}

/** Connection confirm that selects TLS. Source: MS-RDPBCGR, section 2.2.1.2 */
const RDP_CONFIRM = Buffer.from('030000130ed000001234000200080001000000', 'hex')

/** Servers that only greet their clients. */
export const greeters: Programs = {
  at({ machine: { os } }, port) {
    if (port !== PORTS[os]) return null
    return os === 'Windows'
      ? (socket) => void socket.once('data', () => socket.write(RDP_CONFIRM))
      : (socket) => void socket.write('SSH-2.0-emulated\r\n')
  },
}
