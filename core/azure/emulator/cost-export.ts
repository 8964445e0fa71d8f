import type { AzureCloud } from './cloud.ts'
import { sizeNamed } from './compute/sizes.ts'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import { type Interval, recordedMachines } from './recorded-machines.ts'

/**
 * Microsoft's FOCUS 1.0 export. Usage arrives 8 to 24 hours late, up to 72 under an Enterprise Agreement, and lacks
 * tags that were unknown then (Cost Management, "Understand Cost Management data"). IDs come in any case, credits
 * are negative, and taxes belong to no resource.
 */
const COLUMNS = [
  'BilledCost',
  'BillingAccountId',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'EffectiveCost',
  'ProviderName',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'ServiceName',
  'SubAccountId',
  'Tags',
  'x_ResourceGroupName',
] as const
type Line = Partial<Record<(typeof COLUMNS)[number], string>>

/**
 * Prices in rupees per core and hour, and per disk and day. They are similar to prices in South India, but are not
 * Azure's.
 */
const CORE_HOUR = 4.1
const DISK_DAY = 5.37
const DAY = 86_400_000
/** Days before today whose usage is not in the export yet. */
const LATE_DAYS = 2

interface MachineUsage {
  readonly id: string
  readonly name: string
  readonly resourceGroup: string
  readonly size: string
  readonly tags: Readonly<Record<string, string>>
  readonly billed: readonly Interval[]
  readonly createdAt: string
  readonly deletedAt: string | null
}

/** @param month first instant of the month */
export function costExport(cloud: AzureCloud, month: Date, now: number): string {
  const periodEnd = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)
  const exportedUntil = Math.min(periodEnd, (Math.floor(now / DAY) - LATE_DAYS) * DAY)
  const lines: Line[] = []
  const machines = recordedMachines(cloud, now) as readonly MachineUsage[]
  for (let day = month.getTime(); day < exportedUntil; day += DAY) {
    for (const machine of machines) lines.push(...linesOf(machine, day))
  }
  const usage = lines.reduce((sum, { BilledCost }) => sum + Number(BilledCost), 0)
  if (usage > 0) {
    const chargePeriod = dayOf(exportedUntil - DAY)
    lines.push({
      ...chargePeriod,
      ChargeCategory: 'Credit',
      BilledCost: (-usage / 50).toFixed(10),
      ServiceName: 'Credit',
    })
    if (exportedUntil === periodEnd)
      lines.push({ ...chargePeriod, ChargeCategory: 'Tax', BilledCost: (usage * 0.18).toFixed(10), ServiceName: 'Tax' })
  }
  const period = { BillingPeriodStart: iso(month.getTime()), BillingPeriodEnd: iso(periodEnd) }
  const fixed = { BillingAccountId: 'emulated', BillingCurrency: 'INR', ProviderName: 'Microsoft', ...period }
  const rows = lines.map((line) => {
    const values: Line = { ...fixed, ...line, EffectiveCost: line.BilledCost ?? '' }
    return COLUMNS.map((column) => quoted(values[column] ?? '')).join(',')
  })
  return `\uFEFF${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`
}

function linesOf(
  { id, name, size, tags, billed, resourceGroup, createdAt, deletedAt }: MachineUsage,
  day: number,
): Line[] {
  const [, subscription = ''] = /\/subscriptions\/([^/]+)\//i.exec(id) ?? []
  const isFirst = Date.parse(createdAt) >= day
  const charge = {
    ...dayOf(day),
    ChargeCategory: 'Usage',
    SubAccountId: `/subscriptions/${subscription}`,
    Tags: isFirst ? '' : JSON.stringify(tags),
    x_ResourceGroupName: resourceGroup,
  }
  const hours =
    billed.reduce((sum, { from, to }) => {
      const billedUntil = Math.min(to === null ? Number.POSITIVE_INFINITY : Date.parse(to), day + DAY)
      return sum + Math.max(0, billedUntil - Math.max(Date.parse(from), day))
    }, 0) / 3_600_000
  const existedMs =
    Math.min(deletedAt === null ? day + DAY : Date.parse(deletedAt), day + DAY) - Math.max(Date.parse(createdAt), day)
  return [
    ...(hours === 0
      ? []
      : [
          {
            ...charge,
            BilledCost: (hours * (sizeNamed(size)?.cores ?? 2) * CORE_HOUR).toFixed(10),
            ResourceId: isFirst ? id.toUpperCase() : id,
            ResourceName: name,
            ResourceType: 'Virtual machine',
            ServiceName: 'Virtual Machines',
          },
        ]),
    ...(existedMs <= 0
      ? []
      : [
          {
            ...charge,
            BilledCost: ((existedMs / DAY) * DISK_DAY).toFixed(10),
            ResourceId: id.replace(/virtualMachines\/[^/]+$/i, `disks/${name}-os`).toLowerCase(),
            ResourceName: `${name}-os`,
            ResourceType: 'Disk',
            ServiceName: 'Storage',
          },
        ]),
  ]
}

const dayOf = (day: number): Line => ({ ChargePeriodStart: iso(day), ChargePeriodEnd: iso(day + DAY) })

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
