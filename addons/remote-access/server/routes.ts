import type { FastifyInstance } from 'fastify'
import { type FilesDependencies, serveFiles } from './remote-files.ts'
import { type GatewayDependencies, serveRemote } from './gateway.ts'

/** Serves connections to machines and transfers of files. */
export function serveConnections(server: FastifyInstance, parts: FilesDependencies & GatewayDependencies): void {
  serveFiles(server, parts)
  serveRemote(server, parts)
}
