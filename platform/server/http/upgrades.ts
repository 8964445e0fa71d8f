import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Callers } from './callers.ts'
import { hasSeveralHosts } from './host-header.ts'

/** A connection whose client requests another protocol, such as WebSocket. */
interface Upgrade {
  readonly request: IncomingMessage
  readonly stream: Duplex
  readonly head: Buffer
  /** Address of the client. */
  readonly address: string
  readonly refuse: (status: string) => void
}

export interface Upgrades {
  /** @param serve returns false if the path belongs to another module */
  add(serve: (upgrade: Upgrade) => boolean): void
}

/** Passes upgraded connections to the module that serves their path. */
export function serveUpgrades(server: FastifyInstance, callers: Callers): Upgrades {
  const all: Parameters<Upgrades['add']>[0][] = []
  server.server.on('upgrade', (request, stream: Duplex, head) => {
    // The connection is destroyed, because a refused client might never close its side.
    const refuse = (status: string) =>
      void stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => stream.destroy())
    stream.on('error', () => stream.destroy())
    if (hasSeveralHosts(request)) return refuse('400 Bad Request')
    const upgrade = { request, stream, head, address: callers.addressOf(request), refuse }
    if (!all.some((serve) => serve(upgrade))) refuse('404 Not Found')
  })
  return { add: (serve) => void all.push(serve) }
}
