import type { CostKind, CostProvider } from '@trainyard/contract/words/cost.ts'

/** A line of a bill, in the portal's own words, whatever export it came from. */
export interface BillLine {
  readonly identity: string | null
  readonly provider: CostProvider
  readonly account: string
  readonly period: string
  readonly day: string
  readonly kind: CostKind
  /** The provider's id of the resource; null: it is of none. */
  readonly resource: string | null
  readonly resourceKind: string
  readonly resourceGroup: string | null
  readonly tag: 'machine' | 'sandbox' | 'image' | 'shared' | null
  readonly tagValue: string | null
  readonly service: string
  /** As it stands there: a decimal number of any length. */
  readonly cost: string
  readonly currency: string
}

/** A kind of export: how it is called, and the columns that it is known by. */
export interface Format {
  readonly name: string
  readonly reads: 'azure' | 'focus' | 'aws'
  /** Each is one of several names; all must be there. */
  readonly needs: readonly string[]
}

/**
 * The exports that are read, the first that fits. Sources: Microsoft's and AWS's lists of columns, FOCUS 1.0 and 1.2.
 * Azure's "actual" and "amortised" exports have the same columns.
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
 * A column's name as all exports have it: without case, separators and the byte order mark, and of translated headers,
 * 'Ressourcengruppe (ResourceGroup)', the name in brackets. Tags that are columns keep their own.
 */
export function columnName(header: string): string {
  const plain = header.replace(/^\uFEFF/, '').trim()
  if (/^resourcetags\//i.test(plain)) return plain.toLowerCase()
  const bracketed = /\(([A-Za-z0-9_/]+)\)$/.exec(plain)?.[1]
  return (bracketed ?? plain).toLowerCase().replace(/[^a-z0-9]/g, '')
}

export const formatOf = (columns: readonly string[]): Format | null =>
  FORMATS.find(({ needs }) => needs.every((column) => columns.includes(column))) ?? null
