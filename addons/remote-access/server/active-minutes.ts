import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: assignments that mark the minute of `used` as active in the row `a` of `machine_activity`. A null marks none, and
 * a minute can be marked again.
 */
export function markActive(used: RawBuilder<unknown>): RawBuilder<unknown> {
  const minute = sql`date_trunc('minute', ${used})`
  const passed = sql`(floor(extract(epoch from ${minute} - a.active_at) / 60)::integer)`
  return sql`
    active_minutes = case
      when ${used} is null then a.active_minutes
      when a.active_at is null or ${passed} > 9 then 1
      when ${passed} > 0 then ((a.active_minutes << ${passed}) | 1) & 1023
      when ${passed} > -10 then a.active_minutes | (1 << -${passed})
      else a.active_minutes end,
    active_at = greatest(a.active_at, ${minute})`
}
