import { sql } from 'kysely'
import { CPU_MEASUREMENT_MINUTES_MAX } from '@trainyard/contract/words/classroom.ts'

/** Joins for queries with a machine aliased `m`: its open run as `r`, its activity as `a`. */
export const activityJoins = sql`
  left join machine_activity a on a.machine_id = m.id
  left join run r on r.machine_id = m.id and r.stopped_at is null`

/**
 * SQL for the instant since which the machine is idle: the latest of its start, the last key typed in a terminal, the
 * last minute with a busy CPU, and the learner's confirmation. Null if it does not run, or if its CPU was not measured
 * recently: a user may work through a remote desktop that the portal does not know of.
 */
export const idleSince = sql<Date | null>`case
  when m.observed = 'running' and a.cpu_at > r.started_at
    and a.cpu_at > portal_now() - make_interval(mins => ${sql.lit(CPU_MEASUREMENT_MINUTES_MAX)})
  then greatest(r.started_at, a.input_at, a.busy_at, a.here_at) end`
