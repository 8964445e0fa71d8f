import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { RequestOptions } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { proxyAgent } from './egress.ts'

/**
 * Sources: IANA's registries of special-purpose addresses (RFC 6890); learn.microsoft.com, "What is IP address
 * 168.63.129.16?": on a machine of Azure this address is the host, although it is public.
 */
const V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
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

/** Ranges of public addresses: the allocated part of IPv6, without documentation ranges and ranges that map to IPv4. */
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
  const normalised = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  switch (isIP(normalised)) {
    case 4:
      return privateV4.check(normalised, 'ipv4')
    case 6:
      return !publicV6.check(normalised, 'ipv6') || notPublicV6.check(normalised, 'ipv6')
    default:
      return true
  }
}

/** Error of a connection to a host that resolves to an address that is not allowed. */
export class PrivateNetwork extends Error {
  override readonly name = 'PrivateNetwork'
}

/**
 * Returns a lookup for `net.connect` that fails unless every address of the host is public or allowed. The connection
 * uses the same answer that was checked, so a second DNS answer cannot redirect it (DNS rebinding).
 * @param resolve resolves a host; replaced in tests
 */
export const publicLookup =
  (isAllowed: (host: string, address: string) => boolean, resolve: Resolve = resolveInDns()): LookupFunction =>
  (host, options, answer) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      const allowed = found?.every(({ address }) => !isPrivateAddress(address) || isAllowed(host, address))
      if (error === null && !allowed) answer(new PrivateNetwork(host), [])
      else if (options.all) answer(error, found)
      else answer(error, found?.[0]?.address ?? '', found?.[0]?.family)
    })

export type Resolve = (
  host: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Resolves hosts in DNS. The system's resolver would run two lookups at once for the whole process, each of which takes
 * up to 20 s if the name server of an organisation does not answer.
 * @param servers addresses of name servers with or without a port; empty: the system's
 */
export function resolveInDns(servers: readonly string[] = []): Resolve {
  return (host, _options, answer) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers.length > 0) resolver.setServers(servers)
    void Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]).then(([v4, v6]) => {
      const found = [
        ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
        ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
      ]
      if (found.length > 0 || v4.status === 'fulfilled') return answer(null, found)
      const error = v4.reason as NodeJS.ErrnoException
      if (error.code === 'ENODATA') error.code = 'ENOTFOUND'
      answer(error, [])
    })
  }
}

/**
 * Returns the options of a request that connects only to the addresses that `lookupPublic` accepts. An egress proxy
 * receives the checked address instead of the name, so that its own DNS answer cannot differ.
 */
export async function publicRoute(
  url: URL,
  lookupPublic: LookupFunction,
  proxy: string | null,
): Promise<RequestOptions> {
  if (proxy === null) return { agent: false, lookup: lookupPublic }
  const agent = await proxyAgent(proxy)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return { agent }
  const hostname = await new Promise<string>((resolve, reject) =>
    lookupPublic(host, {}, (error, address) =>
      error === null && typeof address === 'string' ? resolve(address) : reject(error ?? new Error('No address.')),
    ),
  )
  return { agent, hostname, servername: host }
}
