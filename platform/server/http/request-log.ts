import type { FastifyInstance } from 'fastify'

/**
 * Logs one line per request, except health checks, with the route instead of the URL, so that the log contains no
 * private data.
 */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply
    const route = request.routeOptions.url ?? 'none'
    if (route.startsWith('/api/health')) return
    const isRoutine = request.method === 'GET' && statusCode < 400
    // True for refusals that come in floods and would fill the disk. The audit counts the rate-limited requests, and
    // metrics the others.
    const isFlood = statusCode === 429 || request.admission === 'refused'
    const level = statusCode === 500 ? 'error' : isRoutine || isFlood ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        route,
        status: statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
