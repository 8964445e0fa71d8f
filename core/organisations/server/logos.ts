import type { FastifyInstance } from 'fastify'
import { LOGO_PATH, type LogoType } from '../contract/logo.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { RateLimits } from '@trainyard/platform/server/http/rate-limits.ts'

export type LogoOf = (digest: string) => Promise<{ readonly type: LogoType; readonly bytes: Buffer } | undefined>

/**
 * Serves logos. The address contains the image's hash, so it cannot be guessed. Headers prevent the browser from
 * running code in the file.
 */
export function serveLogos(server: FastifyInstance, limits: RateLimits, logoOf: LogoOf): void {
  server.get<{ Params: { digest: string } }>(
    `${LOGO_PATH}/:digest`,
    {
      schema: { hide: true },
      config: { callClass: 'read' },
      onRequest: limits.countPublicFile(),
    },
    async ({ params: { digest } }, reply) => {
      const logo = /^[0-9a-f]{64}$/.test(digest) ? await logoOf(digest) : undefined
      if (logo === undefined) throw notFound('logo')
      return reply
        .type(logo.type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .send(logo.bytes)
    },
  )
}
