import { periodOf } from '../../contract/books-words.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { isAdvanceTable } from '../../contract/gst-return-words.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { advanceEntries, advancesIn, type AdvanceWithoutTax } from './advances.ts'
import { type Gstr1, gstr1Of, totalsOf } from './gstr-1.ts'
import {
  selectDocumentsOfReturn,
  countNumbers,
  selectTaxComparison,
  selectEntriesToCheck,
  type Head,
  HEADS,
  type Entry,
  type Reply,
} from './queries.ts'

type Account = Reply['accounts'][number]

/** Returns GSTR-1 of a month and a GST number. */
export async function gstr1(db: Db, gstin: string, month: string): Promise<Gstr1> {
  return (await gstr1AndAdvances(db, gstin, month)).content
}

/** Returns also the advances of the month whose receipt voucher does not contain their whole tax. */
async function gstr1AndAdvances(
  db: Db,
  gstin: string,
  month: string,
): Promise<{ readonly content: Gstr1; readonly withoutTax: readonly AdvanceWithoutTax[] }> {
  const { from, to } = periodOf(month)
  const { rows: documents } = await selectDocumentsOfReturn(db, gstin, from, to)
  const { rows: series } = await countNumbers(db, gstin, from, to)
  const { received, adjusted, withoutTax } = advancesIn(month, await advanceEntries(db, gstin))
  return { content: gstr1Of({ gstin, month, documents, received, adjusted, series }), withoutTax }
}

type ByHead = Readonly<Record<Head, number>>

/** Compares GSTR-1 of a month with the ledger. Positive amounts are credits of the accounts. */
export async function comparison(db: Db, gstin: string, month: string): Promise<Omit<Reply, 'gstin'>> {
  const { from, to } = periodOf(month)
  const { content, withoutTax } = await gstr1AndAdvances(db, gstin, month)
  const tables = totalsOf(content)
  const supplies = tables.filter(({ table }) => !isAdvanceTable(table))
  const sum = (of: (each: (typeof tables)[number]) => number) => supplies.reduce((total, each) => total + of(each), 0)
  const inReturn: ByHead = {
    sales: sum(({ taxablePaise }) => taxablePaise),
    output_cgst: sum(({ cgstPaise }) => cgstPaise),
    output_sgst: sum(({ sgstPaise }) => sgstPaise),
    output_igst: sum(({ igstPaise }) => igstPaise),
  }
  const { rows } = await selectTaxComparison(db, gstin, from, to)
  const accounts = (Object.keys(HEADS) as Head[]).map((head): Account => {
    const found = rows.find((row) => row.head === head)
    return {
      account: HEADS[head],
      returnPaise: inReturn[head],
      ledgerPaise: found?.ledger ?? 0,
      listedPaise: found?.listed ?? 0,
    }
  })
  return {
    tables: tables.filter(({ rows: count }) => count > 0),
    accounts,
    entries: [...(await entriesToCheck(db, gstin, from, to)), ...(await advancesToCheck(db, withoutTax))],
  }
}

async function advancesToCheck(db: Db, withoutTax: readonly AdvanceWithoutTax[]): Promise<Entry[]> {
  if (withoutTax.length === 0) return []
  const organisations = await db.selectFrom('organisation').select(['id', 'name']).execute()
  const names = new Map<string, string>(organisations.map(({ id, name }) => [id, name]))
  return withoutTax.map(({ organisation, payment, date, paise }) => ({
    number: payment,
    organization: names.get(organisation)!,
    date,
    totalPaise: -paise,
    reason: `After a cancellation, the advance exceeds its receipt voucher by ${formatRupees(paise / 100)}. Add the tax of this amount to table 11A.`,
  }))
}

/** Returns the entries that the return does not contain, and entries that need attention before the return is filed. */
async function entriesToCheck(db: Db, gstin: string, from: string, to: string): Promise<Entry[]> {
  const { rows } = await selectEntriesToCheck(db, gstin, from, to)
  return rows
}
