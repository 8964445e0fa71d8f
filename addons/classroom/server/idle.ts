import { sql } from 'kysely'
import { CPU_MEASUREMENT_MINUTES_MAX } from '../contract/classroom-words.ts'

/** SQL: joins the open run `r` and the activity `a` of a machine `m`. */
export const activityJoins = sql`
  left join machine_activity a on a.machine_id = m.id
  left join run r on r.machine_id = m.id and r.stopped_at is null`

/**
 * SQL: start of the idle time. Null unless the CPU was measured recently, because a user may work in a remote desktop
 * that was opened outside the portal.
 */
export const idleSince = sql<Date | null>`case
  when m.observed = 'running' and a.cpu_at > r.started_at
    and a.cpu_at > portal_now() - make_interval(mins => ${sql.lit(CPU_MEASUREMENT_MINUTES_MAX)})
  then greatest(r.started_at, m.handed_over_at, a.input_at, a.busy_at, a.here_at) end`
