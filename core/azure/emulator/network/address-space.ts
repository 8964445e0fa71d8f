import { Refusal } from '../arm/refusal.ts'

export interface AddressRange {
  readonly first: number
  readonly size: number
}

/** Returns undefined if the prefix is not IPv4 or does not start on its boundary. */
export function rangeOf(prefix: string): AddressRange | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(prefix)
  if (match === null) return undefined
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = match.slice(1).map(Number)
  if ([a, b, c, d].some((octet) => octet > 255) || bits > 32) return undefined
  const first = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
  const size = 2 ** (32 - bits)
  return first % size === 0 ? { first, size } : undefined
}

export function parsePrefix(prefix: string, referrer: string): AddressRange {
  const range = rangeOf(prefix)
  if (range !== undefined) return range
  throw new Refusal(
    400,
    'InvalidAddressPrefixFormat',
    `Address prefix ${prefix} of resource ${referrer} is not formatted correctly. It should follow CIDR notation, for example 10.0.0.0/24.`,
  )
}

export function contains(outer: AddressRange, inner: AddressRange): boolean {
  return inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size
}

export function overlap(one: AddressRange, other: AddressRange): boolean {
  return one.first < other.first + other.size && other.first < one.first + one.size
}

export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

export function prefixesOf(doc: Record<string, unknown>): string[] {
  const { addressPrefix, addressPrefixes } = doc
  if (typeof addressPrefix === 'string') return [addressPrefix]
  return Array.isArray(addressPrefixes) ? addressPrefixes.filter((prefix) => typeof prefix === 'string') : []
}
