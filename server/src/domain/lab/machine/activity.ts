import { type RawBuilder, sql } from 'kysely'
import { sqlHook } from '../../../core/events.ts'

/**
 * Query for `measured_at` and `used_at` of one machine: until when its use is known, and when it was last used. No row:
 * nothing is known.
 */
export const lastUse = sqlHook<{ readonly machine: RawBuilder<unknown>; readonly since: RawBuilder<unknown> }, unknown>(
  'machines.lastUse',
  (answers) =>
    answers.length === 0
      ? sql`select null::timestamptz as measured_at, null::timestamptz as used_at where false`
      : sql.join(answers, sql` union all `),
)
