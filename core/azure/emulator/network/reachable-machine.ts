import { keyOf } from '../arm/ids.ts'
import type { AzureCloud } from '../cloud.ts'
import type { Accounts } from '../compute/accounts.ts'
import type { Machine } from '../compute/machines.ts'
import { sizeNamed } from '../compute/sizes.ts'
import type { Resource } from '../arm/resources.ts'
import { rangeOf } from './address-space.ts'
import type { TrafficSource } from './traffic.ts'
import { addressType } from './public-addresses.ts'

/** Facts about a machine that programs inside it know. */
export interface MachineFacts {
  readonly uid: string
  readonly name: string
  readonly hostname: string
  readonly account: string
  readonly address: string
  readonly cores: number
}

export interface ReachableMachine {
  readonly networkInterface: Resource
  readonly machine: Machine
  readonly facts: MachineFacts
  readonly accounts: Accounts
}

interface OsProfile {
  osProfile?: { computerName?: string }
}

/** Finds the machine with a public address, or with a private address in the network of the source. */
export function machineAt(cloud: AzureCloud, address: string, source: TrafficSource): ReachableMachine | undefined {
  const configuration = configurationAt(cloud, address, source)
  const networkInterface = cloud.resources.find(keyOf(configuration?.replace(/\/ipConfigurations\/[^/]+$/i, '') ?? ''))
  if (networkInterface === undefined) return undefined
  const [holder] = cloud.resources.linksTo(networkInterface.key, 'networkInterface')
  const resource = holder === undefined ? undefined : cloud.resources.find(holder.source)
  const machine = resource === undefined ? undefined : cloud.machines.find(resource.uid)
  if (resource === undefined || machine === undefined) return undefined
  const { osProfile } = resource.doc.properties as OsProfile
  return {
    machine,
    networkInterface,
    accounts: cloud.accounts,
    facts: {
      uid: machine.uid,
      name: machine.name,
      hostname: osProfile?.computerName ?? machine.name,
      account: cloud.accounts.usernameOf(machine.uid) ?? 'learner',
      address,
      cores: sizeNamed(machine.size)?.cores ?? 1,
    },
  }
}

function configurationAt(cloud: AzureCloud, address: string, { network }: TrafficSource): string | undefined {
  const link = cloud.database.one<{ key: string }>(
    "SELECT key FROM resource WHERE type = ? AND json_extract(doc, '$.properties.ipAddress') = ?",
    addressType,
    address,
  )
  if (link !== undefined) return cloud.resources.linksTo(link.key, 'address')[0]?.via
  const [group, name] = network?.split('/') ?? []
  if (group === undefined || name === undefined) return undefined
  return cloud.database.one<{ configuration: string }>(
    'SELECT configuration FROM private_address WHERE address = ? AND subnet LIKE ?',
    rangeOf(`${address}/32`)?.first ?? -1,
    `%/resourcegroups/${group}/providers/microsoft.network/virtualnetworks/${name}/subnets/%`,
  )?.configuration
}

export function acceptsLogin(
  { machine, facts, accounts }: ReachableMachine,
  account: string,
  password: string,
): boolean {
  return account === facts.account && accounts.accepts(machine.uid, account, password)
}

export function startedAt(cloud: AzureCloud, uid: string): number {
  const row = cloud.database.one<{ at: number }>(
    "SELECT at FROM power WHERE uid = ? AND state = 'running' ORDER BY seq DESC LIMIT 1",
    uid,
  )
  return row?.at ?? 0
}

/**
 * Seconds from a start until the machine's server answers. Azure reports a machine as running before the system is up.
 * A creation ends when the system is ready. Estimated, because no recording contains it.
 */
const BOOT = { Linux: 15, Windows: 40 } as const

const settingOf = (uid: string): string => `deaf.${uid}`

export const setUnresponsive = ({ settings }: AzureCloud, uid: string, deaf: boolean): void =>
  settings.write(settingOf(uid), deaf ? 'yes' : 'no')

export function acceptsConnections(cloud: AzureCloud, { uid, os, power }: Machine, now: number): boolean {
  if (power !== 'running' || cloud.settings.read(settingOf(uid)) === 'yes') return false
  const starts = cloud.database.all<{ at: number }>(
    "SELECT at FROM power WHERE uid = ? AND state = 'running' ORDER BY seq DESC LIMIT 2",
    uid,
  )
  const [last, before] = starts
  return last === undefined || before === undefined || now >= last.at + BOOT[os] * cloud.operations.latency * 1000
}
