/** How users and the portal reach a machine. */
export const ADDRESS_KINDS = ['public address', 'private address'] as const
export type AddressKind = (typeof ADDRESS_KINDS)[number]

/** How the portal reaches a private network: over a peered network, or through an agent inside it. */
export const NETWORK_ROUTES = ['gateway', 'peering'] as const
export type NetworkRoute = (typeof NETWORK_ROUTES)[number]

/** Socket of a gateway agent. */
export const GATEWAY_SOCKET = '/gateway/agent'
/** Socket on which another process of the portal uses the agent that is connected to this one. */
export const GATEWAY_CONNECTION_SOCKET = '/gateway/connection'

export const RANGES_MAX = 32
/** Lifetime of a token that enrols an agent. */
export const ENROLMENT_HOURS = 24

/** Networks in which a private machine can be: RFC 1918 and the shared space of RFC 6598. */
const PRIVATE_SPACES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']

interface Range {
  readonly first: number
  readonly last: number
}

/** Returns the first and last address of an IPv4 prefix such as 10.20.0.0/16; null if it is not one. */
function rangeOf(prefix: string): Range | null {
  const [address = '', bits = ''] = prefix.split('/')
  const octets = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(address)
  if (octets === null || !/^(0|[1-9]\d?)$/.test(bits) || Number(bits) > 32) return null
  const parts = octets.slice(1).map(Number)
  if (parts.some((part) => part > 255)) return null
  const first = parts.reduce((sum, part) => sum * 256 + part, 0)
  const size = 2 ** (32 - Number(bits))
  return first % size === 0 ? { first, last: first + size - 1 } : null
}

const isWithin = (inner: Range, outer: Range): boolean => inner.first >= outer.first && inner.last <= outer.last

/** Returns true for an IPv4 prefix on its boundary, such as 203.0.113.0/24. */
export const isPrefix = (prefix: string): boolean => rangeOf(prefix) !== null

/** Returns true for a prefix that contains only private addresses. */
export function isPrivatePrefix(prefix: string): boolean {
  const range = rangeOf(prefix)
  return range !== null && PRIVATE_SPACES.some((space) => isWithin(range, rangeOf(space)!))
}

/** Returns true if an IPv4 address is in one of the prefixes. */
export const isAddressIn = (address: string, prefixes: readonly string[]): boolean =>
  isPrefixIn(`${address}/32`, prefixes)

/** Returns true if one of the prefixes contains the whole inner prefix. */
export function isPrefixIn(inner: string, prefixes: readonly string[]): boolean {
  const range = rangeOf(inner)
  return range !== null && prefixes.some((prefix) => isWithin(range, rangeOf(prefix) ?? { first: 1, last: 0 }))
}

export const PORT_PROTOCOLS = ['TCP', 'UDP', 'TCP and UDP'] as const
export type PortProtocol = (typeof PORT_PROTOCOLS)[number]
