import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type FilesDependencies, serveFiles } from './files.ts'
import { type GatewayDependencies, serveRemote } from './gateway.ts'
import { AgentSockets } from './gateways/agent-sockets.ts'

type OpenStream = (connection: string, ticket: string, signal: AbortSignal) => Promise<Duplex> | null

interface Dependencies extends FilesDependencies, Omit<GatewayDependencies, 'agents'> {
  /** Receives the function that opens streams of agents that are connected to this process. */
  readonly onAgents: (open: OpenStream) => void
}

/** Serves connections to machines, transfers of files, and the gateways of private networks. */
export function serveConnections(server: FastifyInstance, parts: Dependencies): void {
  serveFiles(server, parts)
  const agents = new AgentSockets({ ...parts, ownUrl: () => parts.peerUrl ?? ownUrlOf(server) })
  parts.onAgents((...args) => agents.open(...args))
  serveRemote(server, { ...parts, agents })
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
