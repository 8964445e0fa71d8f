import { isIPv6 } from 'node:net'

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
  if (!isIPv6(normalised)) return normalised
  const [head = '', tail] = normalised.toLowerCase().split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const all = [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
