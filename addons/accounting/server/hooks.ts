import { type RawBuilder, sql } from 'kysely'
import { hook, sqlHook } from '@trainyard/platform/server/core/events.ts'

/** Amount by which documents have reduced the invoice `e`, in paise. */
export const creditedOf = sqlHook<void, number>('accounting.creditedOf', (answers) =>
  answers.length === 0 ? sql`0` : sql`(${sql.join(answers, sql` + `)})`,
)

/**
 * Query for `organisation_id`, `payment` and `invoice`: payments that settle another invoice than the one of their entry,
 * or nothing before their invoice exists (null).
 */
export const assignedPayments = sqlHook<void, unknown>('accounting.assignedPayments', (answers) =>
  answers.length === 0
    ? sql`select null::uuid as organisation_id, null::text as payment, null::text as invoice where false`
    : sql.join(answers, sql` union all `),
)

/** Day on which the invoice `t` is due; without an answer its date. */
export const dueOn = sqlHook<void, string>('accounting.dueOn', (answers): RawBuilder<string> =>
  answers.length === 0 ? sql`t.date` : sql`coalesce(${sql.join(answers)})`,
)

/** Condition: the customer must not receive the invoice of an alias yet. */
export const isHeld = sqlHook<'e' | 't', boolean>('accounting.isHeld', (answers) =>
  answers.length === 0 ? sql`false` : sql`(${sql.join(answers, sql` or `)})`,
)

/** Query for `date`, `account` and `paise`: postings of entries that are in no account of a customer. */
export const otherPostings = sqlHook<void, unknown>('accounting.otherPostings', (answers) =>
  answers.length === 0
    ? sql`select null::date as date, null::text as account, null::bigint as paise where false`
    : sql.join(answers, sql` union all `),
)

/** Entry that is in no account of a customer, for bookkeeping programs. */
export interface OtherEntry {
  readonly id: number
  readonly reference: string
  /** YYYY-MM-DD. */
  readonly date: string
  readonly particular: string
  /** Accounts are in the order of the trial balance. Positive amounts are debits. */
  readonly postings: readonly (readonly [account: string, paise: number])[]
}

/** Asks for such entries by date, after an entry of the first day; both days are inclusive. An empty list: the last part was read. */
export const otherEntries = hook<
  { readonly from: string; readonly after: number; readonly to: string },
  readonly OtherEntry[]
>('accounting.otherEntries', [], (first, second) => [...first, ...second])
