import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Resource } from '../arm/resources.ts'
import { type AddressRange, contains, prefixesOf, rangeOf } from './address-space.ts'
import { configurationsOf } from './network-interfaces.ts'
import { routesOf } from './route-tables.ts'

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
  const destination = rangeOf(`${privateIPAddress}/32`)!
  return (
    groups.every((group) => admits(cloud, group, traffic, destination)) && repliesReturn(cloud, subnet, traffic.source)
  )
}

function admits(cloud: AzureCloud, group: Resource, traffic: Traffic, destination: AddressRange): boolean {
  const rules = cloud.resources
    .parts(group.key)
    .map(({ doc }) => doc as unknown as Rule)
    .filter(({ direction }) => equalsIgnoreCase(direction, 'Inbound'))
    .toSorted((a, b) => a.priority - b.priority)
  const firstMatch = rules.find((rule) => matches(rule, traffic, destination))
  // The default rules admit the virtual network and deny everything else.
  return firstMatch === undefined ? traffic.source.network !== null : equalsIgnoreCase(firstMatch.access, 'Allow')
}

function matches(rule: Rule, { source, protocol, port }: Traffic, destination: AddressRange): boolean {
  const sourceRange = rangeOf(`${source.address}/32`)
  const isFrom = (prefix: string): boolean => {
    if (isAnyAddress(prefix)) return true
    if (equalsIgnoreCase(prefix, 'Internet')) return source.network === null
    if (equalsIgnoreCase(prefix, 'VirtualNetwork')) return source.network !== null
    return sourceRange !== undefined && isWithin(sourceRange, prefix)
  }
  const isTo = (prefix: string): boolean =>
    isAnyAddress(prefix) || equalsIgnoreCase(prefix, 'VirtualNetwork') || isWithin(destination, prefix)
  return (
    (rule.protocol === '*' || equalsIgnoreCase(rule.protocol, protocol)) &&
    valuesOf(rule.sourceAddressPrefix, rule.sourceAddressPrefixes).some(isFrom) &&
    valuesOf(rule.destinationAddressPrefix, rule.destinationAddressPrefixes).some(isTo) &&
    valuesOf(rule.destinationPortRange, rule.destinationPortRanges).some((range) => includesPort(range, port))
  )
}

/** Returns false if a user-defined route sends the replies to an appliance, which has not seen the request. */
function repliesReturn(cloud: AzureCloud, subnet: Resource, source: TrafficSource): boolean {
  const destination = rangeOf(`${source.address}/32`)
  if (destination === undefined) return true
  const network = cloud.resources.get(keyOf(subnet.id.replace(/\/subnets\/[^/]+$/i, '')))
  const networkPrefixes = prefixesOf((network.doc.addressSpace ?? {}) as Record<string, unknown>)
  const longestPrefixLength = (prefixes: readonly string[]) =>
    Math.max(
      -1,
      ...prefixes.filter((prefix) => isWithin(destination, prefix)).map((prefix) => Number(prefix.split('/')[1])),
    )
  const routes = routesOf(cloud, subnet)
  const userRouteLength = longestPrefixLength(routes.map(({ addressPrefix }) => addressPrefix))
  // The longest prefix wins, and a user-defined route over a system route of the same length.
  if (userRouteLength < longestPrefixLength(source.network === null ? ['0.0.0.0/0'] : networkPrefixes)) return true
  const route = routes.find(({ addressPrefix }) => longestPrefixLength([addressPrefix]) === userRouteLength)
  return route === undefined || !['VirtualAppliance', 'None'].some((type) => equalsIgnoreCase(route.nextHopType, type))
}

const valuesOf = (single: string | undefined, values: readonly string[] | undefined): readonly string[] =>
  single === undefined || single === '' ? (values ?? []) : [single, ...(values ?? [])]

const equalsIgnoreCase = (value: string, other: string): boolean => value.toLowerCase() === other.toLowerCase()

const isAnyAddress = (prefix: string): boolean =>
  prefix === '*' || prefix === '0.0.0.0/0' || equalsIgnoreCase(prefix, 'Any')

function isWithin(address: AddressRange, prefix: string): boolean {
  const range = rangeOf(prefix.includes('/') ? prefix : `${prefix}/32`)
  return range !== undefined && contains(range, address)
}

function includesPort(range: string, port: number): boolean {
  if (range === '*') return true
  const [firstMatch, last = firstMatch] = range.split('-').map(Number)
  return port >= firstMatch! && port <= last!
}
