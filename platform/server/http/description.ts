import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import type { RateLimits } from './rate-limits.ts'

/**
 * Serves a description of the API. It is long and anyone can request it, so it is formatted and compressed once, on the
 * first request.
 */
export function serveDescription(
  server: FastifyInstance,
  path: '/openapi.json' | '/public/openapi.json',
  limits: RateLimits,
  describe: () => object,
): void {
  let bodies: Record<'br' | 'gzip' | 'identity', Buffer> | undefined
  const onRequest = limits.countPublicFile()
  server.get(`/api${path}`, { schema: { hide: true }, onRequest, compress: false }, (request, reply) => {
    bodies ??= compressed(Buffer.from(JSON.stringify(describe())))
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip', 'identity']) ?? 'identity'
    if (encoding !== 'identity') void reply.header('content-encoding', encoding)
    return reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding').send(bodies[encoding])
  })
}

const compressed = (body: Buffer) => ({
  br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: gzipSync(body),
  identity: body,
})
