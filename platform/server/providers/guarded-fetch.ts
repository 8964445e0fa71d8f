import { request as httpRequest } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { type EgressProxy, isAnswer, proxyAgent, proxyFor } from './egress.ts'
import { isPrivateAddress, PrivateNetwork, publicLookup, publicRoute, type Resolve } from './private-address.ts'

/** `invalid`: the address is not allowed. `unreachable`: no reply. `too-long`: the reply exceeds `maxBytes`. */
export class GuardedFetchError extends Error {
  override readonly name = 'GuardedFetchError'
  readonly kind: 'unreachable' | 'invalid' | 'too-long'

  constructor(kind: GuardedFetchError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export interface AddressPolicy {
  readonly emulator: string | null
  readonly privateHosts: readonly string[]
  readonly egress?: EgressProxy | null
  /** Further origins of the private network that the operator allows, also without TLS. */
  readonly privateOrigins?: readonly string[]
}

/** Returns true for origins that the operator trusts. They need neither TLS nor a public address. */
const isTrusted = ({ origin }: URL, { emulator, privateOrigins = [] }: AddressPolicy): boolean =>
  origin === emulator || privateOrigins.includes(origin)

/** Default maximum size of a response in bytes. Real metadata and keys have about a hundredth of this size. */
const ANSWER_BYTES = 512 * 1024

const sizeOf = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} kB` : `${bytes / 1024 ** 2} MB`)

interface Init {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly maxBytes?: number
}

/** Returns the reason why a URL may not be requested, based only on its text; null: the URL is allowed. */
export function refusalOfAddress(url: URL, policy: AddressPolicy): string | null {
  const { privateHosts } = policy
  if (isTrusted(url, policy)) return null
  if (url.protocol !== 'https:') return `${url.href} must start with https://.`
  if (url.username !== '' || url.password !== '') return `${url.host} must not contain a user name or a password.`
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (privateHosts.includes(host)) return null
  if (host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isPrivateAddress(host))) {
    return `${url.hostname} is an address of a private network, which is not allowed.`
  }
  return null
}

/**
 * Fetches a URL, but connects only to public addresses (to prevent SSRF) and follows no redirects. The address is
 * checked when the connection is made, so that a second DNS answer cannot differ. An egress proxy receives the checked
 * address instead of the name for the same reason.
 */
export function guardedFetch(
  policy: AddressPolicy,
  resolveName?: Resolve,
): (url: string, init: Init) => Promise<Response> {
  const lookupPublic = publicLookup(() => false, resolveName)

  async function routeTo(url: URL): Promise<RequestOptions> {
    if (isTrusted(url, policy)) return { agent: false }
    const proxy = proxyFor(url, policy.egress ?? null)
    if (!policy.privateHosts.includes(url.hostname)) return publicRoute(url, lookupPublic, proxy)
    return { agent: proxy === null ? false : await proxyAgent(proxy) }
  }

  return async (address, { method, headers, body, signal, maxBytes = ANSWER_BYTES }) => {
    const url = new URL(address)
    const refusal = refusalOfAddress(url, policy)
    if (refusal !== null) throw new GuardedFetchError('invalid', refusal)
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const described = (error: Error) =>
      error instanceof PrivateNetwork
        ? new GuardedFetchError('invalid', `${error.message} is an address of a private network, which is not allowed.`)
        : new GuardedFetchError('unreachable', `${url.host} does not respond.`, error)
    const route = await routeTo(url).catch((error: Error) => {
      throw described(error)
    })
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(described(error))
      let hasReply = false
      const sent = request(
        url,
        { method, headers: { host: url.host, ...headers }, ...route, ...(signal && { signal }) },
        (reply) => {
          hasReply = true
          const parts: Buffer[] = []
          let bytes = 0
          reply.on('data', (part: Buffer) => {
            bytes += part.length
            if (bytes <= maxBytes) return void parts.push(part)
            reject(new GuardedFetchError('too-long', `${url.host} sends more than ${sizeOf(maxBytes)}.`))
            sent.destroy()
          })
          reply.on('error', fail)
          reply.on('end', () => {
            const status = reply.statusCode ?? 0
            if (!isAnswer(status)) return fail(new Error(`The server answers ${status}.`))
            const { link, 'content-type': type } = reply.headers
            const seen = {
              ...(type !== undefined && { 'content-type': type }),
              ...(typeof link === 'string' && { link }),
            }
            const content = [204, 205, 304].includes(status) ? null : Buffer.concat(parts)
            resolve(new Response(content, { status, headers: seen }))
          })
        },
      )
      sent.on('error', fail)
      // Node reports no error if a host switches protocols (status 101).
      sent.on('close', () => {
        if (!hasReply) fail(new Error('The connection was closed without a response.'))
      })
      sent.end(body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined)
    })
  }
}
