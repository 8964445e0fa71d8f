import type { FastifyInstance } from 'fastify'
import type { Meters } from '../run/telemetry/meters.ts'

export function instrumentCalls(server: FastifyInstance, meters: Meters): void {
  server.addHook('onResponse', async (request, reply) => {
    meters.countCall(request.routeOptions.config.call ?? 'page', reply.statusCode, reply.elapsedTime / 1000)
  })
}
