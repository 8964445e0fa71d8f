import { isIPv6 } from 'node:net'

/** IPv6 addresses are counted by /64, the smallest network of a customer (rfc-editor.org/rfc/rfc6177). */
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
