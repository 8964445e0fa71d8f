import { sql } from 'kysely'
import { MEASURED_MINUTES } from '@trainyard/contract/words/classroom.ts'

/** The run under way of the machine aliased `m`, as `r`, and how active that machine is, as `a`: to join with. */
export const withActivity = sql`
  left join machine_activity a on a.machine_id = m.id
  left join run r on r.machine_id = m.id and r.stopped_at is null`

/**
 * Since when nobody used the machine: the last of its start, of a key typed in a terminal, of a busy minute of its
 * processor, and of its learner's word. Null where it does not run, or where nothing has measured its processor lately:
 * somebody may work at it by a remote desktop, of which the portal knows nothing.
 */
export const idleSince = sql<Date | null>`case
  when m.observed = 'running' and a.cpu_at > r.started_at
    and a.cpu_at > portal_now() - make_interval(mins => ${sql.lit(MEASURED_MINUTES)})
  then greatest(r.started_at, a.input_at, a.busy_at, a.here_at) end`
