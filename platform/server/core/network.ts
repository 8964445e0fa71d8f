import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns an address without port and zone, and an IPv4 address in IPv6 form as IPv4. Some proxies, such as Azure
 * Application Gateway, append the client's port in X-Forwarded-For
 * (learn.microsoft.com/azure/application-gateway/rewrite-http-headers-url).
 */
export const plainAddress = (address: string): string =>
  address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** IPv6 addresses are counted by /64, the smallest network that a customer gets (rfc-editor.org/rfc/rfc6177). */
export function networkOf(address: string): string {
  const normalised = plainAddress(address)
  return isIPv6(normalised) ? `${prefixOf(normalised, 4)}::/64` : normalised
}

/** Returns the largest network that one customer usually gets, of an address or a network: of IPv6 a /48, of IPv4 a /24. */
export function lineOf(address: string): string {
  const normalised = plainAddress(address.replace(/\/\d+$/, ''))
  if (isIPv6(normalised)) return `${prefixOf(normalised, 3)}::/48`
  return isIPv4(normalised) ? normalised.replace(/\d+$/, '0/24') : normalised
}

/** Returns the first groups of an IPv6 address. */
function prefixOf(address: string, count: number): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const all = [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return all
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
