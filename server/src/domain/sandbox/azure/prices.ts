import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import type { Standing } from '../../../providers/sandbox-groups.ts'

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

/** What an hour of something in a sandbox costs, in paise; a disk's hour is less than one. null: it has no price here. */
export function paisePerHour(standing: Standing): number | null {
  switch (standing.kind) {
    case 'machine':
      if (standing.billed === false) return 0
      return standing.billed === null ? null : (bySize.get(standing.size.toLowerCase()) ?? null)
    case 'disk':
      if (standing.sizeGb === null || !DISKS.test(standing.sku)) return null
      return (DISK_GB_MONTH * standing.sizeGb) / HOURS_OF_A_MONTH
    case 'address':
      return ADDRESS
    case 'other':
      return FREE.has(standing.type.toLowerCase()) ? 0 : null
  }
}

/** What has no price, each by name and type, in words for whoever uses the sandbox. */
export const notPriced = (standing: readonly Standing[]): string[] =>
  standing.filter((one) => paisePerHour(one) === null).map((one) => `${one.name} (${typeOf(one)})`)

function typeOf(standing: Standing): string {
  switch (standing.kind) {
    case 'machine':
      return standing.size
    case 'disk':
      return standing.sku
    case 'address':
      return 'address'
    case 'other':
      return standing.type
  }
}
