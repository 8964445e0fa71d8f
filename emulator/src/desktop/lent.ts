import { connect, type Socket } from 'node:net'
import type { Computers } from '#src/ssh/computers.ts'
import { followMachine } from '#src/ssh/follow.ts'

/** Real Remote Desktop servers of this host that stand in for machines' own, by the port that each listens on. */
export class LentDesktops {
  readonly #ports = new Map<string, number>()

  of(uid: string): number | undefined {
    return this.#ports.get(uid)
  }

  /** @param port of the loopback address; null takes the desktop back */
  lend(uid: string, port: number | null): void {
    if (port === null) this.#ports.delete(uid)
    else this.#ports.set(uid, port)
  }
}

/** Leads a connection for a machine's desktop to the one lent to it, for as long as that machine runs. */
export function leadTo(port: number, near: Socket, uid: string, computers: Computers): void {
  followMachine(near, uid, computers)
  const far = connect(port, '127.0.0.1')
  near.on('close', () => far.destroy())
  far.on('error', () => far.destroy()).on('close', () => near.destroy())
  far.setNoDelay(true)
  near.pipe(far).pipe(near)
}
