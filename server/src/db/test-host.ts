import { once } from 'node:events'
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

export class TestHost {
  port = 0
  accepted = 0
  #server: Server | null = null
  readonly #open = new Set<Socket>()
  readonly #socket: string
  constructor(url: string) {
    this.#socket = join(new URL(url).searchParams.get('host')!, '.s.PGSQL.5432')
  }
  async start(): Promise<void> {
    this.#server = createServer((socket) => {
      this.accepted++
      const upstream = connectTo(this.#socket)
      for (const [end, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        this.#open.add(end)
        end.on('error', () => {}).on('close', () => other.destroy())
        end.pipe(other)
      }
    })
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }
  async stop(): Promise<void> {
    if (this.#server === null) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    this.#open.clear()
    this.#server = null
    await closed
  }
}
