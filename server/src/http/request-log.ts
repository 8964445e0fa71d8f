import type { FastifyInstance } from 'fastify'

/** One line a request: what was asked, by route and not by address, so that nothing private gets into the log. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply
    const isRoutine = request.method === 'GET' && statusCode < 400
    // Whoever is refused for asking too often would fill the disk instead: the audit says how many there were.
    const level = statusCode === 500 ? 'error' : isRoutine || statusCode === 429 ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
