import { keyOf } from '#src/azure/arm/ids.ts'
import type { AzureCloud } from '#src/azure/cloud.ts'
import type { Accounts } from '#src/azure/compute/accounts.ts'
import type { Machine } from '#src/azure/compute/machines.ts'
import { sizeNamed } from '#src/azure/compute/sizes.ts'
import { addressType } from '#src/azure/network/public-addresses.ts'
import type { MachineFacts } from '#src/ssh/shell/computer.ts'

/** Somebody's machine behind a public address. */
export interface Inhabitant {
  readonly machine: Machine
  readonly facts: MachineFacts
  readonly accounts: Accounts
}

interface OsProfile {
  osProfile?: { computerName?: string }
}

/** The machine that an invented public address leads to; undefined where nothing stands. */
export function machineAt(cloud: AzureCloud, address: string): Inhabitant | undefined {
  const row = cloud.book.one<{ key: string }>(
    "SELECT key FROM resource WHERE type = ? AND json_extract(doc, '$.properties.ipAddress') = ?",
    addressType,
    address,
  )
  if (row === undefined) return undefined
  const [configuration] = cloud.resources.linksTo(row.key, 'address')
  if (configuration === undefined) return undefined
  const networkInterface = configuration.via.replace(/\/ipConfigurations\/[^/]+$/i, '')
  const [holder] = cloud.resources.linksTo(keyOf(networkInterface), 'networkInterface')
  const resource = holder === undefined ? undefined : cloud.resources.find(holder.source)
  const machine = resource === undefined ? undefined : cloud.machines.find(resource.uid)
  if (resource === undefined || machine === undefined) return undefined
  const { osProfile } = resource.doc.properties as OsProfile
  return {
    machine,
    accounts: cloud.accounts,
    facts: {
      uid: machine.uid,
      name: machine.name,
      hostname: osProfile?.computerName ?? machine.name,
      account: cloud.accounts.nameOn(machine.uid) ?? 'learner',
      address,
      cores: sizeNamed(machine.size)?.cores ?? 1,
    },
  }
}

/** Returns true when the account and password are those on the machine's disk now. */
export function mayLogIn({ machine, facts, accounts }: Inhabitant, account: string, password: string): boolean {
  return account === facts.account && accounts.lets(machine.uid, account, password)
}

/** When the machine was last started, in milliseconds; the emulator's beginning of it where the record says nothing. */
export function startedAt(cloud: AzureCloud, uid: string): number {
  const row = cloud.book.one<{ at: number }>(
    "SELECT at FROM power WHERE uid = ? AND state = 'running' ORDER BY seq DESC LIMIT 1",
    uid,
  )
  return row?.at ?? 0
}

/**
 * Seconds from the end of a start to the first answer of the system's own server: the cloud calls a machine running
 * before its system is up. A creation ends when the system has reported itself, and so later. No recording says how
 * long it takes: docs/real-clouds.md.
 */
const BOOT = { Linux: 15, Windows: 40 } as const

const deafOf = (uid: string): string => `deaf.${uid}`

/** Has a machine's own server stop, or answer again. */
export const setDeaf = ({ settings }: AzureCloud, uid: string, deaf: boolean): void =>
  settings.write(deafOf(uid), deaf ? 'yes' : 'no')

/** Returns true when connections to a machine are taken by its system. */
export function isUp(cloud: AzureCloud, { uid, os, power }: Machine, now: number): boolean {
  if (power !== 'running' || cloud.settings.read(deafOf(uid)) === 'yes') return false
  const starts = cloud.book.all<{ at: number }>(
    "SELECT at FROM power WHERE uid = ? AND state = 'running' ORDER BY seq DESC LIMIT 2",
    uid,
  )
  const [last, before] = starts
  return last === undefined || before === undefined || now >= last.at + BOOT[os] * cloud.operations.latency * 1000
}
