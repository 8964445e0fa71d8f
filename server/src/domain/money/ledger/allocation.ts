import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { isCancelled, NOT_REVERSED } from './entries.ts'

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
export const allocationOf = (organisations: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  settling as (${organisations}),
  due as (
    select e.organisation_id, e.id, e.reference, e.date, e.amount_paise, e.amount_paise
      - coalesce((select sum(n.total_paise) from tax_document i join tax_document n on n.of_document = i.id and n.kind <> 'debit note' and not ${isCancelled('n')}
        where i.organisation_id = e.organisation_id and i.number = e.reference), 0) as amount
    from settling join ledger_entry e using (organisation_id) where e.kind = 'invoice' and ${NOT_REVERSED}
  ),
  received as (
    select e.organisation_id, e.id, coalesce(q.invoice, e.settles) as settles, e.amount_paise - coalesce((select sum(r.amount_paise) from ledger_entry r
        where r.organisation_id = e.organisation_id and r.refund_of = e.reference and e.kind = 'payment'), 0) as amount
    from settling join ledger_entry e using (organisation_id)
      left join proforma_payment f on f.organisation_id = e.organisation_id and f.payment = e.reference
        and e.kind = 'payment'
      left join quote q on q.id = f.quote_id
    where e.kind in ('payment', 'tds', 'write-off') and e.source <> 'issued' and ${NOT_REVERSED}
      and (f.payment is null or q.invoice is not null or q.prepaid)
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

/** Amount of an invoice that a receipt settles, in paise. */
export interface Applied {
  readonly invoice: string
  readonly amount: number
}

/**
 * Returns the invoices that each receipt settles, by the ID of the receipt. The invoice that the receipt names is
 * first.
 */
export async function allocations(db: Db, organisation: OrganisationId): Promise<ReadonlyMap<number, Applied[]>> {
  const { rows } = await sql<{ receipt: number; applied: Applied[] }>`
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
  return new Map(rows.map(({ receipt, applied }) => [receipt, applied]))
}
