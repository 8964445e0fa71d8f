import { type RawBuilder, sql } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sqlHook } from '@trainyard/platform/server/core/events.ts'

type Sql = RawBuilder<unknown>

/** Zone of the supplier, not of the customer, because the supplier's tax is due by month in this zone. */
export const BILLING_ZONE = 'Asia/Kolkata'

/** SQL: the day in the zone of the supplier, whose days begin and end prices. */
export const SUPPLIER_TODAY = sql<string>`(portal_now() at time zone ${sql.lit(BILLING_ZONE)})::date`

/** Names that determine the price of a machine: template, size and licence. */
interface Priced {
  readonly template: Sql
  readonly size: Sql
  readonly licence: Sql
}

/** Price per hour that an organisation has agreed for a day, in paise. Null: the price of the template. */
export const priceAt = sqlHook<Priced & { readonly organisation: Sql; readonly day: Sql }, Paise | null>(
  'templates.priceAt',
  (answers) => (answers.length === 0 ? sql`null::bigint` : sql`coalesce(${sql.join(answers)})`),
)

/**
 * Query for `day`: the days at whose start `priceAt` can change, past and future, of organisations and, if given, of
 * one item.
 * @param organisations right side of `organisation_id =`
 */
export const priceChanges = sqlHook<{ readonly organisations: Sql; readonly of?: Priced }, unknown>(
  'templates.priceChanges',
  (answers) => (answers.length === 0 ? sql`select null::date as day where false` : sql.join(answers, sql` union `)),
)
