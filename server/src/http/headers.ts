import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/**
 * Adds the headers that restrict our pages in browsers. Scripts: our own files, and the inline ones we know by hash.
 */
export async function secureHeaders(
  server: FastifyInstance,
  given: {
    readonly https: boolean
    readonly inlineScripts: readonly string[]
    readonly checkout: { readonly script: string; readonly frames: readonly string[] } | null
  },
): Promise<void> {
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [
          "'self'",
          ...given.inlineScripts.map((hash) => `'sha256-${hash}'`),
          ...(given.checkout === null ? [] : [new URL(given.checkout.script).origin]),
        ],
        frameSrc: ["'self'", ...(given.checkout?.frames ?? [])],
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
    // A bank's own page is a window that the checkout opens, and must be able to answer it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  })
}
