import { lookup, type LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OpenIdError } from '../open-id.ts'
import { isPrivateAddress } from './private-address.ts'

export interface Guard {
  readonly emulator: string | null
  readonly privateHosts: readonly string[]
}

/** Maximum response size in bytes; real metadata and keys are about a hundredth of it. */
const ANSWER_BYTES = 512 * 1024

interface Init {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Returns the reason why a URL may not be requested, judged by its text alone; null: allowed. */
export function refusalOfAddress(url: URL, { emulator, privateHosts }: Guard): string | null {
  if (url.origin === emulator) return null
  if (url.protocol !== 'https:') return `${url.href} must start with https://.`
  if (url.username !== '' || url.password !== '') return `${url.host} must not contain a user name or a password.`
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (privateHosts.includes(host)) return null
  if (host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isPrivateAddress(host))) {
    return `${url.hostname} is an address of a private network, which is not allowed.`
  }
  return null
}

/** Reaches only public addresses (SSRF), checked at connection time against a second DNS answer. No redirects. */
export function guardedFetch(guard: Guard): (url: string, init: Init) => Promise<Response> {
  const lookupPublic: LookupFunction = (host, options, answer) =>
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const allowed = guard.privateHosts.includes(host) || found?.every(({ address }) => !isPrivateAddress(address))
      if (error === null && !allowed) answer(new PrivateNetwork(host), [])
      else if (options.all) answer(error, found)
      else answer(error, found?.[0]?.address ?? '', found?.[0]?.family)
    })

  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const refusal = refusalOfAddress(url, guard)
    if (refusal !== null) throw new OpenIdError('invalid', refusal)
    const isEmulator = url.origin === guard.emulator
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(
          error instanceof PrivateNetwork
            ? new OpenIdError('invalid', `${error.message} is an address of a private network, which is not allowed.`)
            : new OpenIdError('unreachable', `${url.host} does not respond.`, error),
        )
      const sent = request(
        url,
        { method, headers, agent: false, ...(signal && { signal }), ...(!isEmulator && { lookup: lookupPublic }) },
        (reply) => {
          const parts: Buffer[] = []
          let bytes = 0
          reply.on('data', (part: Buffer) => {
            bytes += part.length
            if (bytes > ANSWER_BYTES) sent.destroy(new Error('The response is too long.'))
            else parts.push(part)
          })
          reply.on('error', fail)
          reply.on('end', () => {
            const status = reply.statusCode ?? 0
            const type = reply.headers['content-type']
            const content = [101, 204, 205, 304].includes(status) ? null : Buffer.concat(parts)
            resolve(new Response(content, { status, headers: type === undefined ? {} : { 'content-type': type } }))
          })
        },
      )
      sent.on('error', fail)
      sent.end(body instanceof URLSearchParams ? body.toString() : undefined)
    })
  }
}

class PrivateNetwork extends Error {}
