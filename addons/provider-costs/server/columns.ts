import type { CostKind, CostProvider } from '../contract/cost-words.ts'

export interface BillLine {
  readonly identity: string | null
  readonly provider: CostProvider
  readonly account: string
  readonly period: string
  readonly day: string
  readonly kind: CostKind
  readonly resource: string | null
  readonly resourceKind: string
  readonly resourceGroup: string | null
  readonly tag: 'machine' | 'sandbox' | 'image' | 'shared' | null
  readonly tagValue: string | null
  readonly service: string
  readonly cost: string
  readonly currency: string
}

export interface Format {
  readonly name: string
  readonly reads: 'azure' | 'focus' | 'aws'
  readonly needs: readonly string[]
}

/**
 * Known formats. The first matching format is used. Sources: Microsoft's and AWS's lists of columns, FOCUS 1.0 and 1.2.
 */
const FORMATS: readonly Format[] = [
  { name: 'FOCUS', reads: 'focus', needs: ['billedcost', 'billingcurrency', 'chargeperiodstart', 'chargecategory'] },
  {
    name: 'AWS Cost and Usage Report',
    reads: 'aws',
    needs: ['lineitemunblendedcost', 'lineitemcurrencycode', 'lineitemusagestartdate', 'lineitemlineitemtype'],
  },
  { name: 'Azure EA', reads: 'azure', needs: ['costinbillingcurrency', 'billingcurrencycode', 'date'] },
  { name: 'Azure MCA', reads: 'azure', needs: ['costinbillingcurrency', 'billingcurrency', 'date'] },
  { name: 'Azure actual cost', reads: 'azure', needs: ['cost', 'billingcurrency', 'date'] },
  { name: 'Azure pay as you go', reads: 'azure', needs: ['pretaxcost', 'currency', 'usagedatetime'] },
]

/**
 * Returns the name of a column. Localised headers such as 'Ressourcengruppe (ResourceGroup)' contain the name in
 * brackets.
 */
export function columnName(header: string): string {
  const plain = header.replace(/^\uFEFF/, '').trim()
  if (/^resourcetags\//i.test(plain)) return plain.toLowerCase()
  const bracketed = /\(([A-Za-z0-9_/]+)\)$/.exec(plain)?.[1]
  return (bracketed ?? plain).toLowerCase().replace(/[^a-z0-9]/g, '')
}

export const formatOf = (columns: readonly string[]): Format | null =>
  FORMATS.find(({ needs }) => needs.every((column) => columns.includes(column))) ?? null
