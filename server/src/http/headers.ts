import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** What browsers are told not to do with our pages. Scripts: our own files, and the inline ones we know by hash. */
export async function secureHeaders(
  server: FastifyInstance,
  given: { readonly https: boolean; readonly inlineScripts: readonly string[] },
): Promise<void> {
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...given.inlineScripts.map((hash) => `'sha256-${hash}'`)],
        // Components place themselves by style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'https:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(given.https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: given.https && { maxAge: 365 * 24 * 60 * 60, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  })
}
