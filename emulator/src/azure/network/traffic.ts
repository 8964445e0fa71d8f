import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { type AddressRange, contains, prefixesOf, rangeOf } from '#src/azure/network/address-space.ts'
import { configurationsOf } from '#src/azure/network/network-interfaces.ts'
import { routesOf } from '#src/azure/network/route-tables.ts'

/** Origin of a connection. */
export interface TrafficSource {
  readonly address: string
  /** Resource group and name of the virtual network, in lower case; null: the internet. */
  readonly network: string | null
}

/** A connection to a network interface. */
export interface Traffic {
  readonly source: TrafficSource
  readonly protocol: 'Tcp' | 'Udp'
  readonly port: number
}

interface Rule {
  readonly access: string
  readonly direction: string
  readonly priority: number
  readonly protocol: string
  readonly sourceAddressPrefix?: string
  readonly sourceAddressPrefixes?: readonly string[]
  readonly destinationAddressPrefix?: string
  readonly destinationAddressPrefixes?: readonly string[]
  readonly destinationPortRange?: string
  readonly destinationPortRanges?: readonly string[]
}

/** Returns true if security groups and routes let the connection and its replies pass. Otherwise packets are dropped. */
export function passes(cloud: AzureCloud, networkInterface: Resource, traffic: Traffic): boolean {
  const [configuration] = configurationsOf(networkInterface)
  const { subnet: reference, privateIPAddress } = configuration!.properties as {
    subnet: { id: string }
    privateIPAddress: string
  }
  const subnet = cloud.resources.get(keyOf(reference.id))
  const groups = [subnet, networkInterface].flatMap((resource) => {
    const group = resource.doc.networkSecurityGroup as { id: string } | undefined
    const found = group === undefined ? undefined : cloud.resources.find(keyOf(group.id))
    return found === undefined ? [] : [found]
  })
  // Standard public addresses accept nothing without a security group.
  if (groups.length === 0 && traffic.source.network === null) return false
  const to = rangeOf(`${privateIPAddress}/32`)!
  return groups.every((group) => admits(cloud, group, traffic, to)) && repliesReturn(cloud, subnet, traffic.source)
}

function admits(cloud: AzureCloud, group: Resource, traffic: Traffic, to: AddressRange): boolean {
  const rules = cloud.resources
    .parts(group.key)
    .map(({ doc }) => doc as unknown as Rule)
    .filter(({ direction }) => is(direction, 'Inbound'))
    .toSorted((a, b) => a.priority - b.priority)
  const first = rules.find((rule) => matches(rule, traffic, to))
  // The default rules admit the virtual network and deny everything else.
  return first === undefined ? traffic.source.network !== null : is(first.access, 'Allow')
}

function matches(rule: Rule, { source, protocol, port }: Traffic, to: AddressRange): boolean {
  const from = rangeOf(`${source.address}/32`)
  const isFrom = (prefix: string): boolean => {
    if (isAny(prefix)) return true
    if (is(prefix, 'Internet')) return source.network === null
    if (is(prefix, 'VirtualNetwork')) return source.network !== null
    return from !== undefined && isIn(from, prefix)
  }
  const isTo = (prefix: string): boolean => isAny(prefix) || is(prefix, 'VirtualNetwork') || isIn(to, prefix)
  return (
    (rule.protocol === '*' || is(rule.protocol, protocol)) &&
    valuesOf(rule.sourceAddressPrefix, rule.sourceAddressPrefixes).some(isFrom) &&
    valuesOf(rule.destinationAddressPrefix, rule.destinationAddressPrefixes).some(isTo) &&
    valuesOf(rule.destinationPortRange, rule.destinationPortRanges).some((range) => includesPort(range, port))
  )
}

/** Returns false if a user-defined route sends the replies to an appliance, which has not seen the request. */
function repliesReturn(cloud: AzureCloud, subnet: Resource, source: TrafficSource): boolean {
  const to = rangeOf(`${source.address}/32`)
  if (to === undefined) return true
  const network = cloud.resources.get(keyOf(subnet.id.replace(/\/subnets\/[^/]+$/i, '')))
  const own = prefixesOf((network.doc.addressSpace ?? {}) as Record<string, unknown>)
  const bits = (prefixes: readonly string[]) =>
    Math.max(-1, ...prefixes.filter((prefix) => isIn(to, prefix)).map((prefix) => Number(prefix.split('/')[1])))
  const routes = routesOf(cloud, subnet)
  const ofUser = bits(routes.map(({ addressPrefix }) => addressPrefix))
  // The longest prefix wins, and a user-defined route over a system route of the same length.
  if (ofUser < bits(source.network === null ? ['0.0.0.0/0'] : own)) return true
  const route = routes.find(({ addressPrefix }) => bits([addressPrefix]) === ofUser)
  return route === undefined || !['VirtualAppliance', 'None'].some((hop) => is(route.nextHopType, hop))
}

const valuesOf = (one: string | undefined, many: readonly string[] | undefined): readonly string[] =>
  one === undefined || one === '' ? (many ?? []) : [one, ...(many ?? [])]

const is = (value: string, other: string): boolean => value.toLowerCase() === other.toLowerCase()

const isAny = (prefix: string): boolean => prefix === '*' || prefix === '0.0.0.0/0' || is(prefix, 'Any')

function isIn(address: AddressRange, prefix: string): boolean {
  const range = rangeOf(prefix.includes('/') ? prefix : `${prefix}/32`)
  return range !== undefined && contains(range, address)
}

function includesPort(range: string, port: number): boolean {
  if (range === '*') return true
  const [first, last = first] = range.split('-').map(Number)
  return port >= first! && port <= last!
}
