import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { type EgressProxy, proxyFor } from '@trainyard/platform/server/providers/egress.ts'
import {
  isPrivateAddress,
  PrivateNetwork,
  publicLookup,
  publicRoute,
  type Resolve,
} from '@trainyard/platform/server/providers/private-address.ts'
import type { WebhookFailure, WebhookReply, Webhooks } from './webhooks-provider.ts'

export interface WebhookSettings {
  /** URL prefix of the emulator's receiver, the only one allowed without TLS on loopback; null: none is allowed. */
  readonly emulator: string | null
  /** Private networks that may receive webhooks, in CIDR notation. Their addresses may be called without TLS. */
  readonly privateRanges: readonly string[]
  readonly egress?: EgressProxy | null
}

export interface WebhookOptions {
  readonly timeoutMs?: number
  /** Resolves host names; replaced in tests. */
  readonly resolve?: Resolve
}

/** Timeout of a request. Standard Webhooks recommends 15 to 30 s. */
const TIMEOUT_MS = 15_000
/** Maximum stored length of a response. */
const BODY_BYTES = 2_048
const HEADER_COUNT = 30
const HEADER_LENGTH = 200
/** Headers of a response that may contain secrets of the receiver. */
const SECRET_HEADERS = new Set(['set-cookie', 'authorization', 'www-authenticate', 'proxy-authenticate'])

/**
 * Returns a sender that connects only to public addresses, to prevent server-side request forgery (SSRF). Checks the
 * addresses that each connection uses. Follows no redirects and opens a new connection for each request.
 */
export function webhookSender(
  { emulator, privateRanges, egress = null }: WebhookSettings,
  options: WebhookOptions = {},
): Webhooks {
  const { timeoutMs = TIMEOUT_MS, resolve } = options
  const ranges = rangesIn(privateRanges)
  const isInRange = (address: string) =>
    isIP(address) !== 0 && ranges.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  const lookup = publicLookup((_host, address) => isInRange(address), resolve)
  const isEmulator = (url: URL) => emulator !== null && url.href.startsWith(emulator)

  function refusalOf(text: string): string | null {
    const url = URL.parse(text)
    if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'The address must start with https://.'
    if (url.username !== '' || url.password !== '') return 'The address must not contain a user name or a password.'
    if (url.hash !== '') return 'The address must not contain a fragment (#).'
    if (isEmulator(url)) return null
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const isAddress = isIP(host) !== 0
    if (isAddress && isInRange(host)) return null
    if (url.protocol !== 'https:') return 'The address must start with https://.'
    if (host === 'localhost' || host.endsWith('.localhost') || (isAddress && isPrivateAddress(host))) {
      return `${url.hostname} is an address of a private network, which is not allowed.`
    }
    return null
  }

  return {
    refusalOf,
    async post(address, headers, body, signal) {
      const refusal = refusalOf(address)
      if (refusal !== null) return { error: refusal }
      const url = new URL(address)
      const timeout = AbortSignal.timeout(timeoutMs)
      const route = isEmulator(url)
        ? { agent: false as const }
        : await publicRoute(url, lookup, proxyFor(url, egress)).catch((error: Error) => error)
      if (route instanceof Error) return { error: sentenceOf(route, url) }
      const request = url.protocol === 'https:' ? httpsRequest : httpRequest
      return new Promise<WebhookReply | WebhookFailure>((settle) => {
        let hasReply = false
        const sent = request(
          url,
          {
            method: 'POST',
            headers: { host: url.host, ...headers, 'content-length': String(Buffer.byteLength(body)) },
            ...route,
            signal: AbortSignal.any([signal, timeout]),
          },
          (reply) => {
            hasReply = true
            void readReply(reply).then(settle)
          },
        )
        sent.on('error', (error: NodeJS.ErrnoException) => {
          // An error while the body is read does not change the result.
          if (hasReply) return
          settle({ error: timeout.aborted ? `No reply within ${timeoutMs / 1000} s.` : sentenceOf(error, url) })
        })
        // Node reports no error if a receiver switches protocols (status 101).
        sent.on('close', () => {
          if (!hasReply) settle({ error: sentenceOf(new Error('closed'), url) })
        })
        sent.end(body)
      })
    },
  }
}

function rangesIn(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const family = isIP(network) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(network, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return list
}

/** Reads the beginning of a response and closes the connection. */
async function readReply(reply: IncomingMessage): Promise<WebhookReply> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of reply as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= BODY_BYTES) break
    }
  } catch {
    // The status is known, so the part of the body that was received is stored.
  }
  reply.destroy()
  return replyOf(reply, Buffer.concat(parts).subarray(0, BODY_BYTES).toString('utf8'))
}

function replyOf(reply: IncomingMessage, body: string): WebhookReply {
  const headers = Object.entries(reply.headers)
    .filter(([name]) => !SECRET_HEADERS.has(name))
    .slice(0, HEADER_COUNT)
    .map(([name, value]) => [name, printable(String(value)).slice(0, HEADER_LENGTH)])
  // PostgreSQL cannot store the character NUL.
  return { status: reply.statusCode ?? 0, headers: Object.fromEntries(headers), body: printable(body) }
}

const printable = (text: string): string => text.replaceAll('\0', '')

function sentenceOf(error: NodeJS.ErrnoException, { host, hostname }: URL): string {
  if (error instanceof PrivateNetwork) return `${hostname} is an address of a private network, which is not allowed.`
  if (error.name === 'AbortError') return 'The request was cancelled.'
  if (error.code === 'ENOTFOUND') return `${hostname} has no address.`
  if (error.code === 'ECONNREFUSED') return `${host} refused the connection.`
  if (error.code?.startsWith('ERR_TLS') || error.code?.includes('CERT') || error.code?.includes('SSL')) {
    return `The certificate of ${host} is not valid: ${error.message}`
  }
  return `${host} closed the connection or cannot be reached.`
}
