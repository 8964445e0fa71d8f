import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isPrivatePrefix } from '@trainyard/platform/contract/words/network.ts'
import type { Deletion, WantedRules } from '@trainyard/templates/server/cloud.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { type LxdClient, readAs } from './client.ts'
import { isAbsence, says } from './refusals.ts'
import type { LxdSettings } from './settings.ts'

const rule = z.object({
  action: z.string(),
  state: z.string(),
  description: z.string().default(''),
  source: z.string().default(''),
  destination: z.string().default(''),
  protocol: z.string().default(''),
  destination_port: z.string().default(''),
})
type Rule = z.output<typeof rule>

const acl = z.looseObject({ ingress: z.array(z.looseObject({ description: z.string().default('') })) })
const server = z.object({ environment: z.object({ addresses: z.array(z.string()).nullish() }) })

const networkState = z.object({ status: z.string().optional() })
const networks = z.array(z.object({ config: z.record(z.string(), z.string()).nullish() }))

const PRIVATE_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10']
const OWN = 'trainyard'
const HOST = 'host'
/** SSH and remote desktop. */
const MANAGEMENT_PORTS = '22,3389'

/** Returns the name of the bridge of a security group. Names of interfaces have at most 15 characters. */
export const bridgeOf = (group: string): string => `ty-${createHash('sha256').update(group).digest('hex').slice(0, 12)}`

/**
 * Creates the bridge and the ACL of a security group. LXD 5.0 filters a bridge as a whole, so each training has its own
 * one.
 */
export async function ensureNetwork(
  client: LxdClient,
  group: string,
  { managementSources, networkRange, closedRanges }: NetworkOptions,
  signal: AbortSignal,
): Promise<void> {
  const bridge = bridgeOf(group)
  const path = `networks/${bridge}`
  const action = `read the network ${bridge}`
  const found = await client.find(action, path, {}, signal)
  const isBroken = found !== null && readAs(networkState, found.metadata, action).status === 'Unavailable'
  if (found !== null && !isBroken) return
  const { metadata } = await client.send('read the addresses of the server', '', {}, signal)
  const own = readAs(server, metadata, 'read the addresses of the server').environment.addresses ?? []
  const taken = await takenSubnets(client, signal)
  // A daemon killed while it created the network left a DHCP server, which keeps the address from the next one.
  if (isBroken) await client.send(`delete the network ${bridge}`, path, { method: 'DELETE' }, signal)
  const address = freeSubnet(bridge, networkRange, taken)
  const body = {
    name: group,
    description: 'Ports of a training',
    ingress: [hostRule(address), ...managementRules(managementSources)],
    egress: egressRules([...own.flatMap(publicHost), ...closedRanges]),
  }
  await unlessExists(client.send(`create the rules ${group}`, 'network-acls', { method: 'POST', body }, signal))
  for (let free = address; ; free = freeSubnet(bridge, networkRange, taken)) {
    await correctHostRule(client, group, free, signal)
    const network = {
      name: bridge,
      type: 'bridge',
      description: group,
      config: { 'ipv4.address': free, 'ipv4.nat': 'true', 'ipv6.address': 'none', 'security.acls': group },
    }
    try {
      await unlessExists(
        client.send(`create the network ${bridge}`, 'networks', { method: 'POST', body: network }, signal),
      )
      return
    } catch (error) {
      if (!says(error, 'address already in use')) throw error
      taken.add(free)
    }
  }
}

interface NetworkOptions extends Pick<LxdSettings, 'networkRange' | 'closedRanges'> {
  readonly managementSources: readonly string[]
}

async function takenSubnets(client: LxdClient, signal: AbortSignal): Promise<Set<string | undefined>> {
  const action = 'list the networks'
  const { metadata } = await client.send(action, 'networks', { query: { recursion: '1' } }, signal)
  return new Set(readAs(networks, metadata, action).map(({ config }) => config?.['ipv4.address']))
}

/**
 * Returns the address of the host in a /24 that is not taken. LXD's own search finds none on some hosts. The search
 * starts at a number that depends on the name, so that two trainings at once rarely choose the same one.
 * @throws CloudError quota
 */
function freeSubnet(bridge: string, range: string, taken: ReadonlySet<string | undefined>): string {
  const first = Number.parseInt(bridge.slice(-2), 16)
  const start = range.replace(/0\.0\/16$/, '')
  for (let i = 0; i < 256; i++) {
    const address = `${start}${(first + i) % 256}.1/24`
    if (!taken.has(address)) return address
  }
  throw new CloudError('quota', `All 256 networks of ${range} are in use. End trainings that are over.`)
}

/** Changes the portal's rules, and none of others. Open connections stay. */
export async function changeRules(
  client: LxdClient,
  group: string,
  { ports, managementSources }: WantedRules,
  signal: AbortSignal,
): Promise<'held' | 'changed' | 'absent'> {
  const action = `change the rules ${group}`
  const path = `network-acls/${group}`
  const found = await client.find(action, path, {}, signal)
  if (found === null) return 'absent'
  const now = readAs(acl, found.metadata, action)
  const isOwn = ({ description }: { readonly description: string }) => description.startsWith(OWN)
  const isManagement = ({ description }: { readonly description: string }) => description === `${OWN} management`
  const current = now.ingress.filter(isOwn).map((each) => rule.parse(each))
  const wanted = [
    ...(managementSources === undefined ? current.filter(isManagement) : managementRules(managementSources)),
    // A rule has one protocol.
    ...ports.flatMap(({ port, protocol = 'TCP and UDP', source }) =>
      protocol
        .toLowerCase()
        .split(' and ')
        .map((each) => ingress(`${OWN} port ${port}`, each, String(port), source ?? '')),
    ),
  ]
  const key = (rules: readonly Rule[]) =>
    JSON.stringify(rules.map((each) => JSON.stringify(rule.parse(each))).toSorted())
  if (key(current) === key(wanted)) return 'held'
  const body = { ...now, ingress: [...now.ingress.filter((each) => !isOwn(each)), ...wanted] }
  await client.send(action, path, { method: 'PUT', body, ifMatch: found.etag }, signal)
  return 'changed'
}

/** Deletes the bridge, then its ACL. */
export async function removeNetwork(client: LxdClient, group: string, signal: AbortSignal): Promise<Deletion> {
  const { at } = await client.send('read the server', '', {}, signal)
  for (const path of [`networks/${bridgeOf(group)}`, `network-acls/${group}`]) {
    try {
      await client.send(`delete ${path}`, path, { method: 'DELETE' }, signal)
    } catch (error) {
      if (isAbsence(error)) continue
      if (says(error, 'in use')) return { at, remaining: 'something' }
      throw error
    }
  }
  return { at, remaining: 'nothing' }
}

const ingress = (description: string, protocol: string, port: string, source: string): Rule =>
  rule.parse({ action: 'allow', state: 'enabled', description, protocol, destination_port: port, source })

/** Azure's name of the private network means all private ranges. */
function managementRules(sources: readonly string[]): Rule[] {
  const prefixes = sources.flatMap((source) => (source === 'VirtualNetwork' ? PRIVATE_RANGES : [source]))
  const source = prefixes.includes('*') ? '' : prefixes.filter((each) => /^[\d./]+$/.test(each)).join(',')
  if (source === '' && !prefixes.includes('*')) return []
  return [ingress(`${OWN} management`, 'tcp', MANAGEMENT_PORTS, source)]
}

/**
 * A portal on the LXD host connects from the bridge's own address, whatever its other addresses are. The description
 * differs from `OWN`, so that the rule stays when ports change.
 */
const hostRule = (bridge: string): Rule => ingress(HOST, 'tcp', MANAGEMENT_PORTS, bridge.replace(/\/24$/, '/32'))

/** Corrects the rule if an interrupted creation had chosen another subnet. */
async function correctHostRule(client: LxdClient, group: string, bridge: string, signal: AbortSignal): Promise<void> {
  const action = `read the rules ${group}`
  const path = `network-acls/${group}`
  const { metadata, etag } = await client.send(action, path, {}, signal)
  const now = readAs(acl, metadata, action)
  const wanted = hostRule(bridge)
  if (now.ingress.some((each) => each.description === HOST && each['source'] === wanted.source)) return
  const others = now.ingress.filter(({ description }) => description !== HOST)
  const body = { ...now, ingress: [wanted, ...others] }
  await client.send(`change the rules ${group}`, path, { method: 'PUT', body, ifMatch: etag }, signal)
}

/** Learners reach the internet, but no private network, the host, or other trainings. */
const egressRules = (closed: readonly string[]) => [
  {
    action: 'reject',
    state: 'enabled',
    description: `${OWN} private networks`,
    destination: [...PRIVATE_RANGES, ...closed].join(','),
  },
  { action: 'allow', state: 'enabled', description: `${OWN} internet` },
]

/** Returns the public IPv4 address in `address:port`, as a list of none or one. */
function publicHost(listener: string): string[] {
  const [, address] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(listener) ?? []
  return address === undefined || address.startsWith('127.') || isPrivatePrefix(`${address}/32`)
    ? []
    : [`${address}/32`]
}

async function unlessExists(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    // LXD answers the second of two requests at once with the text of its database.
    if (!says(error, 'already exists') && !says(error, 'unique constraint failed')) throw error
  }
}
