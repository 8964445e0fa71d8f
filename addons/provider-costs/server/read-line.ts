import { createHash } from 'node:crypto'
import type { CostKind, CostProvider } from '../contract/cost-words.ts'
import type { BillLine, Format } from './columns.ts'
import { ourTag, tagIn, tagName } from './tags.ts'

/** A line that cannot be read. The message completes a sentence that begins with the name of the line. */
export class BadLine extends Error {
  override readonly name = 'BadLine'
}

type Values = readonly string[]
type ReadLine = (values: Values) => BillLine

export function lineReader(format: Format, columns: readonly string[]): ReadLine {
  const pick = picker(columns)
  if (format.reads === 'azure') return azureLine(pick)
  return format.reads === 'aws' ? awsLine(pick, columns) : focusLine(pick)
}

/**
 * Returns a function that reads the first of several columns that the export contains; '' if the export contains none
 * of them.
 */
type Column = (...names: string[]) => (values: Values) => string

const picker =
  (columns: readonly string[]): Column =>
  (...names) => {
    const at = names.map((name) => columns.indexOf(name)).find((place) => place >= 0) ?? -1
    // FOCUS exports write NULL for missing values.
    return (values) => {
      const value = at < 0 ? '' : values[at]!.trim()
      return value === 'NULL' || value === 'null' ? '' : value
    }
  }

function azureLine(pick: Column): ReadLine {
  const cost = pick('costinbillingcurrency', 'cost', 'pretaxcost')
  const currency = pick('billingcurrencycode', 'billingcurrency', 'currency')
  const date = pick('date', 'usagedatetime')
  const period = pick('billingperiodstartdate')
  const account = pick('subscriptionid', 'subscriptionguid')
  const resource = pick('resourceid', 'instanceid')
  const group = pick('resourcegroup', 'resourcegroupname')
  const tags = pick('tags')
  const charge = pick('chargetype')
  const service = pick('metercategory', 'servicename', 'consumedservice', 'product', 'productname')
  return (values) => {
    const day = dayOf('date', date(values))
    return {
      identity: null,
      provider: 'azure',
      account: bounded('subscription', account(values).toLowerCase()),
      period: period(values) === '' ? firstOfMonth(day) : dayOf('billing period', period(values)),
      day,
      kind:
        AZURE_KINDS[
          charge(values)
            .toLowerCase()
            .replace(/[^a-z]/g, '')
        ] ?? 'usage',
      ...azureResource(resource(values), group(values)),
      ...tagIn(tags(values)),
      service: bounded('service', service(values)),
      ...moneyOf(cost(values), currency(values)),
    }
  }
}

const AZURE_KINDS: Readonly<Record<string, CostKind>> = {
  purchase: 'purchase',
  refund: 'credit',
  credit: 'credit',
  tax: 'tax',
  unusedreservation: 'unused',
  unusedsavingsplan: 'unused',
  roundingadjustment: 'adjustment',
  adjustment: 'adjustment',
}

function focusLine(pick: Column): ReadLine {
  const provider = pick('providername', 'serviceprovidername', 'hostprovidername')
  const [cost, currency] = [pick('billedcost'), pick('billingcurrency')]
  const [day, period] = [pick('chargeperiodstart'), pick('billingperiodstart')]
  const account = pick('subaccountid', 'billingaccountid')
  const [resource, group, kind] = [pick('resourceid'), pick('xresourcegroupname'), pick('resourcetype')]
  const [tags, category] = [pick('tags'), pick('chargecategory')]
  const service = pick('servicename', 'servicecategory')
  const commitment = pick('commitmentdiscountstatus')
  return (values) => {
    const of = providerNamed(provider(values))
    const charged = dayOf('ChargePeriodStart', day(values))
    const id = resource(values)
    return {
      identity: null,
      provider: of,
      account: bounded(
        'account',
        account(values)
          .toLowerCase()
          .replace(/^\/subscriptions\//, ''),
      ),
      period: period(values) === '' ? firstOfMonth(charged) : dayOf('BillingPeriodStart', period(values)),
      day: charged,
      kind: commitment(values).toLowerCase() === 'unused' ? 'unused' : focusKind(category(values)),
      ...(of === 'azure'
        ? azureResource(id, group(values))
        : { resource: nullIf(bounded('resource', id)), resourceKind: kind(values), resourceGroup: null }),
      ...tagIn(tags(values)),
      service: bounded('service', service(values)),
      ...moneyOf(cost(values), currency(values)),
    }
  }
}

function focusKind(category: string): CostKind {
  const kind = category.toLowerCase()
  if (kind === 'usage' || kind === 'purchase' || kind === 'credit' || kind === 'tax' || kind === 'adjustment') {
    return kind
  }
  throw new BadLine(`its ChargeCategory “${short(category)}” is not defined by FOCUS`)
}

function providerNamed(name: string): CostProvider {
  if (/microsoft|azure/i.test(name)) return 'azure'
  if (/aws|amazon/i.test(name)) return 'aws'
  throw new BadLine(`its provider “${short(name)}” is not supported; only Azure and AWS are`)
}

function awsLine(pick: Column, columns: readonly string[]): ReadLine {
  const id = pick('identitylineitemid')
  const [cost, currency] = [pick('lineitemunblendedcost'), pick('lineitemcurrencycode')]
  const [day, period] = [pick('lineitemusagestartdate'), pick('billbillingperiodstartdate')]
  const account = pick('lineitemusageaccountid', 'billpayeraccountid')
  const [resource, kind] = [pick('lineitemresourceid'), pick('lineitemlineitemtype')]
  const service = pick('lineitemproductcode', 'productproductname')
  const tags = pick('resourcetags')
  const tagColumns = columns.flatMap((column, at) => {
    return column.startsWith('resourcetags/') ? [[tagName(column), at] as const] : []
  })
  return (values) => {
    const used = dayOf('lineItem/UsageStartDate', day(values))
    const owned = tagColumns.flatMap(([name, at]) => {
      const value = values[at]!
      return value === '' ? [] : [[name, value] as const]
    })
    return {
      // AWS's line ID is unique only within one file of a delivery, so the hash of the whole line is the identity.
      identity: id(values) === '' ? null : createHash('sha256').update(values.join('\0')).digest('base64'),
      provider: 'aws',
      account: bounded('account', account(values)),
      period: period(values) === '' ? firstOfMonth(used) : dayOf('bill/BillingPeriodStartDate', period(values)),
      day: used,
      kind: AWS_KINDS[kind(values).toLowerCase()] ?? 'usage',
      resource: nullIf(bounded('resource', resource(values))),
      resourceKind: service(values),
      resourceGroup: null,
      ...(tagColumns.length > 0 ? ourTag(new Map(owned)) : tagIn(tags(values))),
      service: bounded('service', service(values)),
      ...moneyOf(cost(values), currency(values)),
    }
  }
}

/** Source: AWS, "Line item details", lineItem/LineItemType. */
const AWS_KINDS: Readonly<Record<string, CostKind>> = {
  tax: 'tax',
  credit: 'credit',
  refund: 'credit',
  fee: 'purchase',
  rifee: 'purchase',
  savingsplanupfrontfee: 'purchase',
  savingsplanrecurringfee: 'purchase',
  savingsplannegation: 'adjustment',
  edpdiscount: 'credit',
  privateratediscount: 'credit',
  bundleddiscount: 'credit',
}

/** A purchase can have the ID of a billing account, which has neither a kind nor a group. */
function azureResource(id: string, group: string): Pick<BillLine, 'resource' | 'resourceKind' | 'resourceGroup'> {
  const found = /\/resourcegroups\/([^/]+)\/providers\/(.+)\/[^/]+$/i.exec(id)
  if (id === '' || /^unassigned$/i.test(id)) return { resource: null, resourceKind: '', resourceGroup: null }
  return {
    resource: bounded('resource', id),
    resourceKind: (found?.[2] ?? '').toLowerCase().replace(/\/[^/]+\/(?=[^/]+$)/, '/'),
    resourceGroup: nullIf((found?.[1] ?? group).toLowerCase()),
  }
}

/**
 * Matches decimal numbers of limited length, because huge numerics are slow in the database. Exports write small
 * numbers as 4.5E-06.
 */
const DECIMAL = /^-?(\d{1,15}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?$/i

function moneyOf(cost: string, currency: string): { readonly cost: string; readonly currency: string } {
  if (!DECIMAL.test(cost)) {
    throw new BadLine(cost === '' ? 'its cost is missing' : `its cost “${short(cost)}” is not a decimal number`)
  }
  const code = currency.toUpperCase()
  if (!/^[A-Z]{3}$/.test(code))
    throw new BadLine(`its currency “${short(currency)}” is not a currency code such as INR`)
  return { cost, currency: code }
}

/** Parses 2026-11-22 with or without a time, or 11/22/2026. */
function dayOf(column: string, text: string): string {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?=$|[T ])/.exec(text)
  const american = iso === null ? /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?=$| )/.exec(text) : null
  const [year, month, day] = iso === null ? [american?.[3], american?.[1], american?.[2]] : [iso[1], iso[2], iso[3]]
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isValid = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  if (!isValid || Number(year) < 2010 || Number(year) > 2100) {
    throw new BadLine(
      text === ''
        ? `its ${column} is missing`
        : `its ${column} “${short(text)}” is not a date in the form 2026-11-22 or 11/22/2026 (month first)`,
    )
  }
  return date.toISOString().slice(0, 10)
}

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

function bounded(column: string, text: string): string {
  if (text.length > 2_000 || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw new BadLine(`its ${column} is too long or contains invalid characters`)
  }
  return text
}

const nullIf = (text: string): string | null => (text === '' ? null : text)
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
