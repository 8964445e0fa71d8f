import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { NOT_REVERSED } from '@trainyard/ledger/server/entries.ts'
import { assignedPayments, creditedOf, dueOn, isHeld, otherPostings } from './hooks.ts'

/** Amount of an invoice that a receipt settles, in paise. */
export interface Applied {
  readonly invoice: string
  readonly amount: number
}

/**
 * Common table expressions that allocate receipts to invoices and debit notes. A credit note settles its own invoice.
 * If it exceeds the invoice, because it credits a debit note, the excess settles the oldest documents first. A receipt
 * settles the invoice that it names. The excess over that invoice, and a receipt that names no invoice, settle the
 * oldest documents first. A payment for a proforma invoice settles nothing before its tax invoice is issued, and then
 * settles that invoice. A payment that buys prepaid credit settles the oldest documents first.
 *
 * - `charge`: an invoice or debit note. `rest` is the amount that remains open after credit notes and after the
 *   receipts that name it. `ends` is the sum of `rest` up to and including this row.
 * - `receipt`: a payment, TDS certificate or write-off. `taken` is the amount used for the invoice that it names.
 *   `ends` is the sum of the remainders up to and including this row. Old negative payments reduce the remainders of
 *   the oldest receipts.
 * - `pool`: the sum of the remainders.
 *
 * @param organisations a query with the column organisation_id
 */
const allocationOf = (organisations: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  settling as (${organisations}),
  due as (
    select e.organisation_id, e.id, e.reference, e.date, e.amount_paise, e.amount_paise
      - ${sqlOf(creditedOf, undefined)} as amount
    from settling join ledger_entry e using (organisation_id) where e.kind = 'invoice' and ${NOT_REVERSED}
  ),
  received as (
    select e.organisation_id, e.id, coalesce(f.invoice, e.settles) as settles, e.amount_paise - coalesce((select sum(r.amount_paise) from ledger_entry r
        where r.organisation_id = e.organisation_id and r.refund_of = e.reference and e.kind = 'payment'), 0) as amount
    from settling join ledger_entry e using (organisation_id)
      left join (${sqlOf(assignedPayments, undefined)}) f on f.organisation_id = e.organisation_id
        and f.payment = e.reference and e.kind = 'payment'
    where e.kind in ('payment', 'tds', 'write-off') and e.source <> 'issued' and ${NOT_REVERSED}
      and (f.payment is null or f.invoice is not null)
  ),
  named as (
    select r.*, greatest(0, least(r.amount, coalesce(d.amount, 0) - coalesce(sum(r.amount) over (
      partition by r.organisation_id, r.settles order by r.id rows between unbounded preceding and 1 preceding), 0))) as taken
    from received r left join due d on d.organisation_id = r.organisation_id and d.reference = r.settles
  ),
  pool as (
    select s.organisation_id, coalesce(n.left_over, 0) + coalesce(d.negative, 0) as amount,
      coalesce(n.negative, 0) + coalesce(d.negative, 0) as shift
    from settling s
      left join (select organisation_id, sum(amount - taken) as left_over, sum(least(amount, 0)) as negative
        from named group by organisation_id) n using (organisation_id)
      left join (select organisation_id, -sum(least(amount, 0)) as negative from due group by organisation_id) d
        using (organisation_id)
  ),
  receipt as (
    select n.organisation_id, n.id, n.settles, n.taken, n.amount - n.taken as rest,
      sum(greatest(n.amount - n.taken, 0)) over (partition by n.organisation_id order by n.id) + p.shift as ends
    from named n join pool p using (organisation_id)
  ),
  charge as (
    select c.*, sum(c.rest) over (partition by c.organisation_id order by c.date, c.id) as ends
    from (
      select d.organisation_id, d.id, d.reference, d.date, d.amount_paise,
        greatest(d.amount, 0) - coalesce(t.taken, 0) as rest
      from due d left join (select organisation_id, settles, sum(taken) as taken from named group by 1, 2) t
        on t.organisation_id = d.organisation_id and t.settles = d.reference
    ) c
  )`

export type Deduction = ReplyOf<typeof accounting.tdsReceipts>['receipts'][number]

export interface OpenInvoice {
  readonly organisation: OrganisationId
  readonly invoice: string
  readonly date: string
  readonly dueOn: string
  readonly amount: Paise
  readonly open: Paise
  /** Number of days since the due date; negative before the due date. */
  readonly overdue: number
  /** True while the customer must not receive the invoice, because its e-invoice registration is not recorded. */
  readonly isHeld: boolean
}

/** SQL: sum of the payments of the balance `b` that wait for their invoice. */
const reserved = () => sql`coalesce((select sum(e.amount_paise) from (${sqlOf(assignedPayments, undefined)}) f
    join ledger_entry e on e.organisation_id = f.organisation_id and e.kind = 'payment' and e.reference = f.payment
  where f.organisation_id = b.organisation_id and f.invoice is null and ${NOT_REVERSED}), 0)`

export const selectAllocations = (db: Db, organisation: OrganisationId) =>
  sql<{ receipt: number; applied: Applied[] }>`
    with ${allocationOf(sql`select ${organisation}::uuid as organisation_id`)},
    part as (
      select id as receipt, settles as invoice, taken as amount, null::date as date, 0::bigint as charge
      from receipt where taken > 0
      union all
      select r.id, c.reference, least(r.ends, c.ends) - greatest(r.ends - r.rest, c.ends - c.rest), c.date, c.id
      from receipt r join charge c using (organisation_id)
      where r.rest > 0 and c.rest > 0 and r.ends > c.ends - c.rest and c.ends > r.ends - r.rest
    )
    select receipt, jsonb_agg(jsonb_build_object('invoice', invoice, 'amount', amount)
      order by date nulls first, charge) as applied
    from part group by receipt`.execute(db)

export const selectReversibleEntries = (db: Db, organisation: OrganisationId) =>
  sql<ReplyOf<typeof accounting.reversible>['entries'][number]>`
    select kind, reference as id, date, amount_paise as "amountPaise" from ledger_entry e
    where organisation_id = ${organisation} and source = 'manual' and kind in ('invoice', 'payment', 'tds')
      and ${NOT_REVERSED}
    order by date desc, id desc limit 500`.execute(db)

export const selectDeductionOf = (tx: Tx, organisation: OrganisationId, id: string) =>
  sql<{ tds: string }>`
    select reference as tds from ledger_entry e
    where organisation_id = ${organisation} and deducted_from = ${id} and ${NOT_REVERSED}`.execute(tx)

export const selectDeductions = (db: Db, organisation: OrganisationId) =>
  sql<Deduction>`
    select e.reference as id, e.deducted_from as payment, e.date, e.tds_section as section,
      e.amount_paise as "amountPaise", c.certificate
    from ledger_entry e left join tds_certificate c on c.organisation_id = e.organisation_id and c.entry = e.reference
    where e.organisation_id = ${organisation} and e.deducted_from is not null and ${NOT_REVERSED}
    order by e.date desc, e.id desc limit 500`.execute(db)

export const selectReceipts = (tx: Tx, organisation: OrganisationId, receipts: readonly string[]) =>
  sql`
    select from ledger_entry e where e.organisation_id = ${organisation} and e.kind = 'tds'
      and e.deducted_from is not null and e.reference = any(${receipts}::text[]) and ${NOT_REVERSED}`.execute(tx)

export const selectDeductionNamed = (tx: Tx, organisation: OrganisationId, certificate: string) =>
  sql`
    select from ledger_entry where organisation_id = ${organisation} and kind = 'tds'
      and comparison_key(reference) = comparison_key(${certificate}) limit 1`.execute(tx)

export const selectCertificate = (db: Db, organisation: OrganisationId, certificate: string) =>
  sql`
    select from tds_certificate where organisation_id = ${organisation}
      and comparison_key(certificate) = comparison_key(${certificate}) limit 1`.execute(db)

export const selectOpenInvoices = (
  db: Db,
  organisation: OrganisationId | undefined,
  today: string,
  invoice: string | null,
  most: number,
) => {
  const only: RawBuilder<unknown> = organisation === undefined ? sql`true` : sql`b.organisation_id = ${organisation}`
  return sql<OpenInvoice>`
    with ${allocationOf(sql`
      select b.organisation_id from ledger_balance b where b.invoice_paise > b.payment_paise - ${reserved()} and ${only}`)}
    select t.organisation_id as organisation, t.reference as invoice, t.date,
      due.day as "dueOn", t.amount_paise as amount,
      least(t.rest, t.ends - p.amount)::bigint as open, ${today}::date - due.day as overdue,
      ${sqlOf(isHeld, 't')} as "isHeld"
    from charge t join pool p using (organisation_id)
      cross join lateral (select ${sqlOf(dueOn, undefined)} as day) as due
    where t.rest > 0 and t.ends > p.amount
      and (${invoice}::text is null or t.reference = ${invoice})
    order by t.organisation_id, t.date, t.id limit ${most}`.execute(db)
}

export const selectTrialBalance = (db: Db, on: string) =>
  sql<{ account: string; paise: number }>`
    with part as (
      select p.organisation_id, p.account, sum(p.paise) as paise
      from posting p join ledger_entry e on e.id = p.entry_id where e.date <= ${on}::date
      group by p.organisation_id, p.account
      union all
      select null, account, sum(paise) from (${sqlOf(otherPostings, undefined)}) as other where date <= ${on}::date
      group by account
    ), customer as (
      select sum(paise) as owed from part where account in ('receivable', 'advances') group by organisation_id
    )
    select a.name as account, (case a.code
      when 'receivable' then (select coalesce(sum(greatest(owed, 0)), 0) from customer)
      when 'advances' then (select coalesce(sum(least(owed, 0)), 0) from customer)
      else (select coalesce(sum(paise), 0) from part where part.account = a.code) end)::bigint as paise
    from ledger_account a order by a.place`.execute(db)

/** Writes the postings of new entries. */
export const postEntries = (tx: Tx, entries: readonly number[]) =>
  sql`select post_entries(${entries}::bigint[])`.execute(tx)
