import { keyOf } from '#src/azure/arm/ids.ts'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { recognisable } from '#src/azure/compute/machine-changes.ts'
import type { Machine } from '#src/azure/compute/machines.ts'
import { sizeNamed } from '#src/azure/compute/sizes.ts'
import { addressType } from '#src/azure/network/public-addresses.ts'
import type { MachineFacts } from '#src/ssh/shell/computer.ts'

/** Somebody's machine behind a public address. */
export interface Inhabitant {
  readonly machine: Machine
  readonly facts: MachineFacts
}

interface OsProfile {
  osProfile?: { computerName?: string; adminUsername?: string }
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
  const card = configuration.via.replace(/\/ipConfigurations\/[^/]+$/i, '')
  const [holder] = cloud.resources.linksTo(keyOf(card), 'card')
  const resource = holder === undefined ? undefined : cloud.resources.find(holder.source)
  const machine = resource === undefined ? undefined : cloud.machines.find(resource.uid)
  if (resource === undefined || machine === undefined) return undefined
  const { osProfile } = resource.doc.properties as OsProfile
  return {
    machine,
    facts: {
      uid: machine.uid,
      name: machine.name,
      hostname: osProfile?.computerName ?? machine.name,
      account: osProfile?.adminUsername ?? 'learner',
      address,
      cores: sizeNamed(machine.size)?.cores ?? 1,
    },
  }
}

/** Whether somebody may log in: the account and the password that the machine was made with. */
export function mayLogIn({ machine, facts }: Inhabitant, account: string, password: string): boolean {
  return (
    account === facts.account && machine.password !== null && recognisable(machine.uid, password) === machine.password
  )
}

/** When the machine was last started, in milliseconds; the emulator's beginning of it where the record says nothing. */
export function startedAt(cloud: AzureCloud, uid: string): number {
  const row = cloud.book.one<{ at: number }>(
    "SELECT at FROM power WHERE uid = ? AND state = 'running' ORDER BY seq DESC LIMIT 1",
    uid,
  )
  return row?.at ?? 0
}
