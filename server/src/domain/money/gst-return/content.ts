import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { gstReturn } from '@trainyard/contract/calls/gst-return.ts'
import { periodOf } from '@trainyard/contract/words/books.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { isAdvanceTable } from '@trainyard/contract/words/gst-return.ts'
import type { Db } from '../../../db/schema.ts'
import { isCancelled, NOT_REVERSED } from '../ledger/entries.ts'
import { IS_WITHHELD } from '../ledger/open.ts'
import { advanceEntries, advancesIn, type AdvanceWithoutTax } from './advances.ts'
import { type Gstr1, type ReturnDocument, type Series, gstr1Of, totalsOf } from './gstr-1.ts'

type Reply = ReplyOf<typeof gstReturn.read>
type Account = Reply['accounts'][number]
type Entry = Reply['entries'][number]

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
  const { rows: documents } = await sql<ReturnDocument>`
    select document, original from (
      select d.content - 'lines' as document, i.content - 'lines' as original, d.issued_on, d.prefix, d.serial
      from tax_document d left join tax_document i on i.id = d.of_document
      where d.supplier_gstin = ${gstin} and d.issued_on between ${from}::date and ${to}::date
        and d.kind in ('invoice', 'credit note', 'debit note') and not ${isCancelled('d')}
      union all
      select e.entered_document as document, null, e.date, null, e.id from ledger_entry e
      where e.date between ${from}::date and ${to}::date and ${isEnteredInReturn(gstin)}) d
    order by issued_on, prefix, serial`.execute(db)
  const { rows: series } = await sql<Series>`
    select kind, min(number) as from, max(number) as to, count(*)::int as count,
      (count(*) filter (where ${isCancelled('d')}))::int as cancelled from tax_document d
    where supplier_gstin = ${gstin} and issued_on between ${from}::date and ${to}::date
    group by kind, prefix, financial_year
    union all
    select 'invoice', reference, reference, 1, 0 from ledger_entry e
    where date between ${from}::date and ${to}::date and ${isEnteredInReturn(gstin)}
    order by 1, 2`.execute(db)
  const { received, adjusted, withoutTax } = advancesIn(month, await advanceEntries(db, gstin))
  return { content: gstr1Of({ gstin, month, documents, received, adjusted, series }), withoutTax }
}

/** Condition for entries of the alias `e` that are invoices whose tax was entered. A reversed one is not in the return. */
const isEnteredInReturn = (gstin: string): RawBuilder<boolean> =>
  sql<boolean>`(e.entered_document is not null and e.entered_document #>> '{supplier,gstin}' = ${gstin} and ${NOT_REVERSED})`

const HEADS = {
  sales: 'Sales',
  output_cgst: 'Output CGST',
  output_sgst: 'Output SGST and UTGST',
  output_igst: 'Output IGST',
} as const
type Head = keyof typeof HEADS
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
  const { rows } = await sql<{ head: Head; ledger: number; listed: number }>`
    select case p.account when 'output_utgst' then 'output_sgst' else p.account end as head,
      -sum(p.paise)::bigint as ledger,
      coalesce(-sum(p.paise) filter (where not coalesce(d.supplier_gstin = ${gstin}, ${isEnteredInReturn(gstin)}, false)), 0)::bigint as listed
    from ledger_entry e join posting p on p.entry_id = e.id
      left join tax_document d on d.organisation_id = e.organisation_id and e.source = 'issued'
        and d.number = coalesce(e.reverses, e.reference) and d.entry_kind = coalesce(e.reversed_kind, e.kind)
    where e.date between ${from}::date and ${to}::date
      and p.account in ('sales', 'output_cgst', 'output_sgst', 'output_utgst', 'output_igst')
    group by 1`.execute(db)
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
  const { rows } = await sql<Entry>`
    select e.reference as number, o.name as organization, e.date,
      balance_change(e.kind, e.amount_paise)::bigint as "totalPaise", why.reason
    from ledger_entry e join organisation o on o.id = e.organisation_id
      left join tax_document d on d.organisation_id = e.organisation_id and d.number = e.reference
        and d.entry_kind = e.kind and e.source = 'issued'
      cross join lateral (select case
        when e.kind = 'invoice' and e.source = 'manual' and not ${NOT_REVERSED}
          then 'Manually entered invoice that is reversed. It is not in the return.'
        when e.kind = 'invoice' and e.source = 'manual' and e.entered_document is null
          then 'Manually entered invoice. The portal does not know the tax: add the invoice to the return.'
        when e.kind = 'invoice reversal' and e.source = 'manual'
          then 'Reversal of a manually entered invoice. Correct the return if it contained the invoice.'
        when d.kind = 'financial credit note'
          then 'Financial credit note. It does not change the tax and is not part of the return.'
        when coalesce(d.supplier_gstin, e.entered_document #>> '{supplier,gstin}') <> ${gstin}
          then 'Issued under the GST number ' || coalesce(d.supplier_gstin, e.entered_document #>> '{supplier,gstin}') || '. It belongs to the return of that number.'
        when ${IS_WITHHELD}
          then 'In the return, but its e-invoice registration is not recorded. Register it before you file the return.'
        end as reason) as why
    where e.date between ${from}::date and ${to}::date and why.reason is not null
    order by e.date, e.id limit 500`.execute(db)
  return rows
}
