import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export async function secureHeaders(
  server: FastifyInstance,
  options: {
    readonly https: boolean
    readonly inlineScripts: readonly string[]
    readonly checkout: { readonly scriptUrl: string; readonly frames: readonly string[] } | null
  },
): Promise<void> {
  await server.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [
          "'self'",
          ...options.inlineScripts.map((hash) => `'sha256-${hash}'`),
          ...(options.checkout === null ? [] : [new URL(options.checkout.scriptUrl).origin]),
        ],
        frameSrc: ["'self'", ...(options.checkout?.frames ?? [])],
        // Components position elements with style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(options.https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: options.https && { maxAge: 365 * 24 * 60 * 60, includeSubDomains: false },
    // The checkout opens the bank's page in a popup window, which must keep access to its opener.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  })
  // All replies have the same headers, which the middleware would compute for each.
  let headers: ReadonlyMap<string, string> | null = null
  server.addHook('onRequest', (_request, reply, done) => {
    if (headers === null) {
      reply.helmet()
      headers = new Map(Object.entries(reply.raw.getHeaders()).map(([name, value]) => [name, String(value)]))
    } else for (const [name, value] of headers) reply.raw.setHeader(name, value)
    done()
  })
}
