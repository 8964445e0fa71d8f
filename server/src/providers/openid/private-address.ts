import { BlockList, isIP } from 'node:net'

/** Source: IANA's registries of special-purpose addresses (RFC 6890). */
const V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

const privateV4 = new BlockList()
for (const [network, bits] of V4) privateV4.addSubnet(network, bits, 'ipv4')

/** Only the allocated part of IPv6 is public, without documentation ranges and ranges that map to IPv4. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
const notPublicV6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublicV6.addSubnet(network, bits, 'ipv6')
}

export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  switch (isIP(plain)) {
    case 4:
      return privateV4.check(plain, 'ipv4')
    case 6:
      return !publicV6.check(plain, 'ipv6') || notPublicV6.check(plain, 'ipv6')
    default:
      return true
  }
}
