import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import type { SandboxResource } from '../../../providers/sandbox-groups.ts'

/** Sizes that a machine in a sandbox may have, with what an hour costs; about Azure's price, with a margin. */
const SIZES = new Map<string, Paise>([
  ['Standard_B1s', paise(110)],
  ['Standard_B1ms', paise(210)],
  ['Standard_B2s', paise(420)],
  ['Standard_B2ms', paise(830)],
  ['Standard_DS1_v2', paise(950)],
  ['Standard_D2s_v3', paise(1_400)],
])

export const ALLOWED_SIZES = [...SIZES.keys()]

/** A gigabyte for a month. */
const DISK_GB_MONTH = paise(1_000)
const HOURS_OF_A_MONTH = 730
/** Kinds of disk that this is a price of; others are paid for by what they can do, not by their size alone. */
const DISKS = /^(Standard|StandardSSD|Premium)_(LRS|ZRS)$/i
const ADDRESS = paise(45)

/** Types that Azure asks nothing for: what they hold or lead to is charged by itself (its pricing pages). */
const FREE: ReadonlySet<string> = new Set([
  'microsoft.compute/availabilitysets',
  'microsoft.compute/proximityplacementgroups',
  'microsoft.compute/sshpublickeys',
  'microsoft.compute/virtualmachines/extensions',
  'microsoft.devtestlab/schedules',
  'microsoft.managedidentity/userassignedidentities',
  'microsoft.network/applicationsecuritygroups',
  'microsoft.network/networkinterfaces',
  'microsoft.network/networksecuritygroups',
  'microsoft.network/networkwatchers',
  'microsoft.network/routetables',
  'microsoft.network/virtualnetworks',
])

const bySize = new Map([...SIZES].map(([size, price]) => [size.toLowerCase(), price]))

/** Returns the paise of an hour of a resource; a disk's hour is less than one. null: it has no price here. */
export function paisePerHour(resource: SandboxResource): number | null {
  switch (resource.kind) {
    case 'machine':
      if (resource.billed === false) return 0
      return resource.billed === null ? null : (bySize.get(resource.size.toLowerCase()) ?? null)
    case 'disk':
      if (resource.sizeGb === null || !DISKS.test(resource.sku)) return null
      return (DISK_GB_MONTH * resource.sizeGb) / HOURS_OF_A_MONTH
    case 'address':
      return ADDRESS
    case 'other':
      return FREE.has(resource.type.toLowerCase()) ? 0 : null
  }
}

/** Returns the resources without a price, each by name and type, in words for whoever uses the sandbox. */
export const notPriced = (resources: readonly SandboxResource[]): string[] =>
  resources.filter((one) => paisePerHour(one) === null).map((one) => `${one.name} (${typeOf(one)})`)

function typeOf(resource: SandboxResource): string {
  switch (resource.kind) {
    case 'machine':
      return resource.size
    case 'disk':
      return resource.sku
    case 'address':
      return 'address'
    case 'other':
      return resource.type
  }
}
