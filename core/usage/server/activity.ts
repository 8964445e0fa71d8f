import { sql } from 'kysely'
import { sqlHook } from '@trainyard/platform/server/core/events.ts'

/**
 * SQL: query of the periods of runs in which machines were used or idle. Times that were not measured have none. Columns:
 * machine_id, training_id, organisation_id, began_at, ended_at, idle, paise_per_hour.
 */
export const activityPeriods = sqlHook<undefined, unknown>('usage.activityPeriods', (queries) =>
  queries.length === 0
    ? sql`select null::uuid as machine_id, null::uuid as training_id, null::uuid as organisation_id,
        null::timestamptz as began_at, null::timestamptz as ended_at, null::boolean as idle,
        null::bigint as paise_per_hour where false`
    : sql`${sql.join(queries, sql` union all `)}`,
)
