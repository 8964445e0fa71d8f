import { connect, type Socket } from 'node:net'
import type { Computers } from './computers.ts'
import { disconnectOnStop } from './disconnect-on-stop.ts'

export class RealDesktops {
  readonly #ports = new Map<string, number>()

  portOf(uid: string): number | undefined {
    return this.#ports.get(uid)
  }

  /** @param port on the loopback address. null: restores the emulated desktop */
  setPort(uid: string, port: number | null): void {
    if (port === null) this.#ports.delete(uid)
    else this.#ports.set(uid, port)
  }
}

export function connectToReal(port: number, client: Socket, uid: string, computers: Computers): void {
  disconnectOnStop(client, uid, computers)
  const server = connect(port, '127.0.0.1')
  client.on('close', () => server.destroy())
  server.on('error', () => server.destroy()).on('close', () => client.destroy())
  server.setNoDelay(true)
  client.pipe(server).pipe(client)
}
