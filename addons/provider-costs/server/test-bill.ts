export const EA_COLUMNS =
  'InvoiceSectionName,AccountName,SubscriptionId,SubscriptionName,ResourceGroup,ResourceLocation,Date,ProductName,MeterCategory,MeterSubCategory,MeterId,MeterName,MeterRegion,UnitOfMeasure,Quantity,EffectivePrice,CostInBillingCurrency,CostCenter,ConsumedService,ResourceId,Tags,OfferId,AdditionalInfo,ServiceInfo1,ServiceInfo2,ResourceName,ReservationId,UnitPrice,PublisherType,PublisherName,ChargeType,Frequency,PricingModel,BillingAccountId,BillingCurrencyCode,BillingPeriodStartDate,BillingPeriodEndDate'.split(
    ',',
  )

export const SUBSCRIPTION = '11111111-12ab-34dc-56ef-123456abcdef'

export const resourceId = (group: string, type: string, name: string): string =>
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}/providers/${type}/${name}`

export interface Charged {
  readonly day: string
  readonly cost: string
  readonly resource?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly currency?: string
  readonly charge?: string
  readonly service?: string
  readonly period?: string
}

/** MM/DD/YYYY */
const american = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`

export function eaLine(charged: Charged): string {
  const {
    day,
    cost,
    resource = '',
    tags = {},
    currency = 'INR',
    charge = 'Usage',
    service = 'Virtual Machines',
  } = charged
  const values: Readonly<Record<string, string>> = {
    SubscriptionId: SUBSCRIPTION,
    ResourceGroup: /resourceGroups\/([^/]+)/.exec(resource)?.[1] ?? '',
    Date: american(day),
    MeterCategory: service,
    MeterName: 'D2s v3/D2 v3',
    UnitOfMeasure: '1 Hour',
    CostInBillingCurrency: cost,
    ConsumedService: 'Microsoft.Compute',
    ResourceId: resource,
    Tags: Object.entries(tags)
      .map(([name, value]) => `"${name}": "${value}"`)
      .join(','),
    AdditionalInfo: '{"UsageType":"ComputeHR","ServiceType":"Standard_D2s_v3","VCPUs":2}',
    ChargeType: charge,
    BillingCurrencyCode: currency,
    BillingPeriodStartDate: american(charged.period ?? `${day.slice(0, 7)}-01`),
  }
  return EA_COLUMNS.map((column) => quoted(values[column] ?? '')).join(',')
}

export const eaFile = (lines: readonly Charged[]): string =>
  `\uFEFF${[EA_COLUMNS.join(','), ...lines.map(eaLine)].join('\r\n')}\r\n`

export const csv = (columns: readonly string[], rows: readonly Readonly<Record<string, string>>[]): string =>
  [columns.join(','), ...rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','))].join('\n')

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
