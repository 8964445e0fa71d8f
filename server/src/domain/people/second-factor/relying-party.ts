import { isIP } from 'node:net'

/** The portal as passkeys know it: the name that they are made for, and the one address at which they work. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the relying party of the portal's address; null where that has a number in place of a name, for which browsers
 * make no passkeys. A portal on this very machine has the name localhost.
 * Source: https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl)
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) === 0) return { id: url.hostname, origin: url.origin }
  if (host !== '::1' && !host.startsWith('127.')) return null
  url.hostname = 'localhost'
  return { id: 'localhost', origin: url.origin }
}
