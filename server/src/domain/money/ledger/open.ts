import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { ledger } from '@trainyard/contract/calls/ledger.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'
import { allocationOf } from './allocation.ts'
import { NOT_REVERSED } from './entries.ts'

/** Condition for documents of the alias `d` that are withheld from their customer until their registration is recorded. */
export const IS_WITHHELD = sql<boolean>`(d.needs_registration
  and not exists (select from tax_document_registration r where r.document_id = d.id))`

/** Payments of the balance `b` for proforma invoices whose tax invoice is not issued. Prepaid credit is not reserved. */
const RESERVED = sql`coalesce((select sum(e.amount_paise) from proforma_payment f
    join quote q on q.id = f.quote_id and q.invoice is null and not q.prepaid
    join ledger_entry e on e.organisation_id = f.organisation_id and e.kind = 'payment' and e.reference = f.payment
  where f.organisation_id = b.organisation_id and ${NOT_REVERSED}), 0)`

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

/**
 * Returns the invoices that are not settled, oldest first, by the rule of `allocationOf`.
 * @param today the supplier's day
 */
export async function openInvoices(
  db: Db,
  today: string,
  of: { readonly organisation?: OrganisationId; readonly invoice?: string; readonly most?: number } = {},
): Promise<OpenInvoice[]> {
  const only: RawBuilder<unknown> =
    of.organisation === undefined ? sql`true` : sql`b.organisation_id = ${of.organisation}`
  const { rows } = await sql<OpenInvoice>`
    with ${allocationOf(sql`
      select b.organisation_id from ledger_balance b where b.invoice_paise > b.payment_paise - ${RESERVED} and ${only}`)}
    select t.organisation_id as organisation, t.reference as invoice, t.date,
      due.day as "dueOn", t.amount_paise as amount,
      least(t.rest, t.ends - p.amount)::bigint as open, ${today}::date - due.day as overdue,
      exists (select from tax_document d where d.organisation_id = t.organisation_id and d.number = t.reference
        and ${IS_WITHHELD}) as "isHeld"
    from charge t join pool p using (organisation_id) cross join supplier
      left join tax_document issued on issued.organisation_id = t.organisation_id and issued.number = t.reference
      cross join lateral (select coalesce(issued.due_on, (t.date + payment_days)::date) as day) as due
    where t.rest > 0 and t.ends > p.amount
      and (${of.invoice ?? null}::text is null or t.reference = ${of.invoice ?? null})
    order by t.organisation_id, t.date, t.id limit ${of.most ?? 100_000}`.execute(db)
  return rows
}

/** Returns the only open invoice with exactly this open amount that its customer has received, or null. */
export async function exactMatch(
  db: Db,
  today: string,
  organisation: OrganisationId,
  amount: number,
): Promise<string | null> {
  const matches = (await openInvoices(db, today, { organisation })).filter(
    ({ open, isHeld }) => open === amount && !isHeld,
  )
  return matches.length === 1 ? matches[0]!.invoice : null
}

type AgeingRow = ReplyOf<typeof ledger.ageing>['rows'][number]

/** Returns the open amounts of each organisation by days since they were due, largest total first. */
export async function ageing(db: Db, today: string): Promise<AgeingRow[]> {
  const names = new Map(
    (await db.selectFrom('organisation').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  )
  const rows = new Map<OrganisationId, AgeingRow>()
  for (const { organisation, open, overdue } of await openInvoices(db, today)) {
    const row = rows.get(organisation) ?? {
      organization: names.get(organisation)!,
      notDuePaise: 0,
      to30Paise: 0,
      to60Paise: 0,
      to90Paise: 0,
      over90Paise: 0,
      totalPaise: 0,
    }
    const bucket = bucketOf(overdue)
    rows.set(organisation, { ...row, [bucket]: row[bucket] + open, totalPaise: row.totalPaise + open })
  }
  return [...rows.values()].toSorted((a, b) => b.totalPaise - a.totalPaise)
}

function bucketOf(overdue: number): 'notDuePaise' | 'to30Paise' | 'to60Paise' | 'to90Paise' | 'over90Paise' {
  if (overdue <= 0) return 'notDuePaise'
  if (overdue <= 30) return 'to30Paise'
  if (overdue <= 60) return 'to60Paise'
  return overdue <= 90 ? 'to90Paise' : 'over90Paise'
}
