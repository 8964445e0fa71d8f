import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Hosts of Azure, which the portal's clients name. No other site controls the addresses of these names. */
const AZURE_HOSTS =
  /^(?:management\.azure\.com|[\w-]+\.metrics\.monitor\.azure\.com|login\.microsoftonline\.com|graph\.microsoft\.com)$/

/** Names that resolvers map to this machine only (RFC 6761). */
const LOCAL_NAME = /^(?:[\w-]+\.)*localhost$/

/** Requests that real providers accept from pages of other sites: an LMS's answers to a tool (LTI 1.3, Deep Linking 2.0). */
const OPEN_TO_SITES = /^\/lms\/(?:auth|courses\/[^/?]+\/content)(?:[?]|$)/

/**
 * Refuses requests that a page of another site makes in the browser of a person who runs the emulator. A name in the
 * Host header is refused unless it is localhost or Azure's, because any site can let its own name point to this machine
 * (DNS rebinding).
 */
export function refuseOtherSites(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const host = request.headers.host?.replace(/:\d+$/, '').replace(/^\[|\]$/g, '') ?? ''
    if (isIP(host) === 0 && !LOCAL_NAME.test(host) && !AZURE_HOSTS.test(host))
      return reply.code(421).send({ error: `The emulator does not answer for ${host}. Use 127.0.0.1.` })
    if (['GET', 'HEAD'].includes(request.method) || OPEN_TO_SITES.test(request.url) || isFromOwnPage(request)) return
    return reply.code(403).send({ error: 'This request came from a page of another site.' })
  })
}

/** Returns true for a page of the emulator, and for a program, which sends neither header. */
function isFromOwnPage({ headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || URL.parse(origin)?.host === headers.host
}
