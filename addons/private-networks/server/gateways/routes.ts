import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Upgrades } from '@trainyard/platform/server/http/upgrades.ts'
import { AgentSockets, type AgentSocketDependencies } from './agent-sockets.ts'

type OpenStream = (connection: string, ticket: string, signal: AbortSignal) => Promise<Duplex> | null

interface Dependencies extends Omit<AgentSocketDependencies, 'ownUrl'> {
  readonly upgrades: Upgrades
  /** URL at which other processes of the portal reach this one; null: the address of HOST. */
  readonly peerUrl: string | null
  /** Receives the function that opens streams of agents that are connected to this process. */
  readonly onAgents: (open: OpenStream) => void
}

/** Serves the gateway agents of private networks. Agents are no browsers: they have no session and no page. */
export function serveAgents(server: FastifyInstance, parts: Dependencies): void {
  const agents = new AgentSockets({ ...parts, ownUrl: () => parts.peerUrl ?? ownUrlOf(server) })
  parts.onAgents((...args) => agents.open(...args))
  parts.upgrades.add(({ request, stream, head, ...at }) => agents.upgrade(request, stream, head, at))
  server.addHook('preClose', () => agents.close())
}

/**
 * Returns the address of HOST. A server that listens on all addresses can be reached there by processes on the same
 * host only.
 */
function ownUrlOf(server: FastifyInstance): string {
  const { port, address, family } = server.server.address() as AddressInfo
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
