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
