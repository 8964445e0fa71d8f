import { isIPv6 } from 'node:net'

/**
 * Returns the network by which rate limits count an address: the address itself for IPv4, its /64 network for IPv6, the
 * smallest network that a customer receives. Source: https://www.rfc-editor.org/rfc/rfc6177
 */
export function networkOf(address: string): string {
  const inV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (inV4 !== null) return inV4[1]!
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const all = [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
