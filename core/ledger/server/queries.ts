import { sql, type RawBuilder } from 'kysely'
import type { EntryKind } from '../contract/entry.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { ACCOUNT_PAGE } from '@trainyard/platform/contract/words/limits.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { BALANCE_CHANGE_SQL } from './balance.ts'

export interface Entry {
  readonly id: number
  readonly date: string
  readonly particular: string
  readonly kind: EntryKind
  readonly amount: Paise
  readonly invoiced: boolean
  readonly reference: string
}

function cursorTuple(cursor: string): RawBuilder<unknown> {
  const [date, id] = cursor.split('.')
  return sql`(${date}::date, ${id}::bigint)`
}

export interface Line {
  readonly name: string
  readonly organization: string
  readonly invoice: Paise
  readonly payment: Paise
}

export const selectEntriesBefore = (db: Db, organisation: OrganisationId, before: string | undefined) =>
  sql<Entry>`
    select id, date, particular, kind, amount_paise as amount, is_invoiced(kind, source) as invoiced, reference
    from ledger_entry
    where organisation_id = ${organisation} and ${before === undefined ? sql`true` : sql`(date, id) < ${cursorTuple(before)}`}
    order by date desc, id desc limit ${ACCOUNT_PAGE + 1}`.execute(db)

export const selectChangeSince = (db: Db, organisation: OrganisationId, cursor: string) =>
  sql<{ change: number }>`
    select coalesce(sum(${BALANCE_CHANGE_SQL}), 0)::bigint as change
    from ledger_entry where organisation_id = ${organisation} and (date, id) >= ${cursorTuple(cursor)}`.execute(db)

export const selectAdvanceBefore = (db: Db, organisation: OrganisationId, day: string) =>
  sql<{ left: number }>`
    select greatest(0, -coalesce(sum(balance_change(e.kind, e.amount_paise)), 0))::bigint as left
    from ledger_entry e left join ledger_entry original on original.organisation_id = e.organisation_id
      and original.reference = coalesce(e.refund_of, e.reverses)
      and original.kind = coalesce(e.reversed_kind, 'payment')
    where e.organisation_id = ${organisation} and (coalesce(original.date, e.date) < ${day}::date
      or e.source = 'issued' or coalesce(original.kind, e.kind) not in ('payment', 'tds'))`.execute(db)

export const selectBalances = (db: Db) =>
  sql<Line>`
    select case when removed_at is null then name else name || ' (deleted)' end as name, name as organization,
      coalesce(invoice_paise, 0) as invoice, coalesce(payment_paise, 0) as payment
    from organisation left join ledger_balance on organisation_id = organisation.id
    where removed_at is null or invoice_paise <> payment_paise
    order by coalesce(invoice_paise - payment_paise, 0) desc, lower(name), organisation.id`.execute(db)
