import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import type { SandboxResource } from '../sandbox-groups.ts'

/** Prices per hour: about Azure's price plus a margin. */
const SIZES = new Map<string, Paise>([
  ['Standard_B1s', paise(110)],
  ['Standard_B1ms', paise(210)],
  ['Standard_B2s', paise(420)],
  ['Standard_B2ms', paise(830)],
  ['Standard_DS1_v2', paise(950)],
  ['Standard_D2s_v3', paise(1_400)],
])

export const ALLOWED_SIZES = [...SIZES.keys()]

const DISK_GB_MONTH = paise(1_000)
const HOURS_OF_A_MONTH = 730
/** Prices of disks. Other types of disks are billed by performance as well as by size. */
const DISKS = /^(Standard|StandardSSD|Premium)_(LRS|ZRS)$/i
const ADDRESS = paise(45)

/**
 * Types that are free at Azure. Their contents and connections are billed separately (source: Azure's pricing pages).
 */
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

/** Returns the price per hour, which is less than one paisa for a disk; null if the type has no price here. */
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

export const notPriced = (resources: readonly SandboxResource[]): string[] =>
  resources.filter((each) => paisePerHour(each) === null).map((each) => `${each.name} (${typeOf(each)})`)

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
