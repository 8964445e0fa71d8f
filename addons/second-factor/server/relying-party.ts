import { isIP } from 'node:net'

export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the relying party of an origin; null for an IP address. Source:
 * https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl)
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) === 0) return { id: url.hostname, origin: url.origin }
  if (host !== '::1' && !host.startsWith('127.')) return null
  url.hostname = 'localhost'
  return { id: 'localhost', origin: url.origin }
}
