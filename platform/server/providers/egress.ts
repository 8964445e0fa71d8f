import type { Agent } from 'node:http'
import { request } from 'node:https'

/** HTTP proxy for outgoing connections. */
export interface EgressProxy {
  readonly url: string
  /** Hosts that are reached directly: exact names, or suffixes that begin with a dot. */
  readonly noProxy: readonly string[]
}

/**
 * Returns the proxy for a request, or null if it is sent directly. Matches hosts as Azure's SDK does: `.example.com`
 * matches example.com and its subdomains, other entries match exactly. Only https requests use the proxy.
 */
export function proxyFor({ protocol, hostname }: URL, egress: EgressProxy | null): string | null {
  if (egress === null || protocol !== 'https:') return null
  const isDirect = egress.noProxy.some((entry) =>
    entry.startsWith('.') ? hostname.endsWith(entry) || hostname === entry.slice(1) : hostname === entry,
  )
  return isDirect ? null : egress.url
}

/** Returns an agent that connects through the proxy by CONNECT. */
export async function proxyAgent(proxy: string): Promise<Agent> {
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  return new HttpsProxyAgent(proxy)
}

/** Returns fetch through the proxy. Redirects are not followed: no provider's API redirects. */
export function egressFetch(egress: EgressProxy | null): typeof fetch {
  if (egress === null) return fetch
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const proxy = proxyFor(url, egress)
    return proxy === null ? fetch(input, init) : exchange(url, init, await proxyAgent(proxy))
  }
}

/** Returns true for a status that a `Response` can have. Its constructor throws for other values. */
export const isAnswer = (status: number): boolean => status >= 200 && status <= 599

function exchange(
  url: URL,
  { method = 'GET', headers, body, signal, redirect }: RequestInit,
  agent: Agent,
): Promise<Response> {
  const content = typeof body === 'string' || body instanceof Uint8Array ? body : null
  if (content === null && body !== undefined && body !== null) throw new TypeError('The body must be a text or bytes.')
  return new Promise((resolve, reject) => {
    let hasReply = false
    const sent = request(
      url,
      {
        method,
        agent,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          ...(content !== null && { 'content-length': String(Buffer.byteLength(content)) }),
        },
        ...(signal && { signal }),
      },
      (reply) => {
        hasReply = true
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('error', reject)
        reply.on('end', () => {
          const status = reply.statusCode ?? 0
          if (!isAnswer(status)) return reject(new TypeError(`The server answers ${status}.`))
          if (status >= 300 && status < 400 && redirect === 'error') {
            reject(new TypeError('The reply is a redirect.'))
            return
          }
          const isEmpty = [204, 205, 304].includes(status)
          const pairs = Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          )
          resolve(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: pairs }))
        })
      },
    )
    sent.on('error', reject)
    // Node reports no error if a host switches protocols (status 101). The reply may still be in use.
    sent.on('close', () => {
      if (!hasReply) reject(new TypeError('The connection was closed without a response.'))
    })
    sent.end(content ?? undefined)
  })
}
