import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'

export interface OpenInvoice {
  readonly organisation: OrganisationId
  readonly invoice: string
  readonly date: string
  readonly dueOn: string
  readonly open: Paise
  readonly overdue: number
}

/** A credit note settles its own invoice; other receipts settle the oldest first, as a payment names none. */
export async function openInvoices(
  db: Db,
  today: string,
  of: { readonly organisation?: OrganisationId; readonly invoice?: string; readonly most?: number } = {},
): Promise<OpenInvoice[]> {
  const only: RawBuilder<unknown> =
    of.organisation === undefined ? sql`true` : sql`b.organisation_id = ${of.organisation}`
  const { rows } = await sql<OpenInvoice>`
    with owing as (
      select b.organisation_id, b.payment_paise - coalesce((select sum(n.total_paise) from tax_document n
          where n.organisation_id = b.organisation_id and n.kind = 'credit note'), 0) as received
      from ledger_balance b where b.invoice_paise > b.payment_paise and ${only}
    ), net as (
      select e.organisation_id, e.id, e.reference, e.date, o.received,
        e.amount_paise - coalesce((select sum(n.total_paise) from tax_document i join tax_document n on n.of_document = i.id
          where i.organisation_id = e.organisation_id and i.number = e.reference), 0) as amount
      from owing o join ledger_entry e on e.organisation_id = o.organisation_id and e.kind = 'invoice'
    ), through as (
      select *, sum(amount) over (partition by organisation_id order by date, id) - received as left_after from net
    )
    select organisation_id as organisation, reference as invoice, date, (date + payment_days)::date as "dueOn",
      least(amount, left_after)::bigint as open, ${today}::date - (date + payment_days) as overdue
    from through, supplier
    where amount > 0 and left_after > 0 and not exists (select from tax_document d
        where d.organisation_id = through.organisation_id and d.number = through.reference and d.needs_registration
          and not exists (select from tax_document_registration r where r.document_id = d.id))
      and (${of.invoice ?? null}::text is null or reference = ${of.invoice ?? null})
    order by organisation_id, date, id limit ${of.most ?? 100_000}`.execute(db)
  return rows
}
