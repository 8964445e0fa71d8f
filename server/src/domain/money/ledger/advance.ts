import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import type { Db } from '../../../db/schema.ts'

/**
 * Returns the unused part of the money that an organisation paid in advance before a day. Adds payments and deducted
 * tax dated before the day, and subtracts refunds and everything that was invoiced until now.
 */
export async function advanceBefore(db: Db, organisation: OrganisationId, day: string): Promise<Paise> {
  const { rows } = await sql<{ left: number }>`
    select greatest(0, -coalesce(sum(balance_change(e.kind, e.amount_paise)), 0))::bigint as left
    from ledger_entry e left join ledger_entry original on original.organisation_id = e.organisation_id
      and original.reference = coalesce(e.refund_of, e.reverses)
      and original.kind = coalesce(e.reversed_kind, 'payment')
    where e.organisation_id = ${organisation} and (coalesce(original.date, e.date) < ${day}::date
      or e.source = 'issued' or coalesce(original.kind, e.kind) not in ('payment', 'tds'))`.execute(db)
  return paise(rows[0]!.left)
}
