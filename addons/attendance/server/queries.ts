import { sql } from 'kysely'
import { LEARNER_NAME } from '@trainyard/machines/server/queries.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

export interface PresenceRow {
  readonly kind: 'connection' | 'input' | 'run'
  readonly email: string
  readonly from: Date
  readonly until: Date
}

/** Seconds added to each period of input, because a single input has no length. */
const INPUT_SECONDS = 60

export const selectPresence = (db: Db, training: TrainingId, from: Date, until: Date) =>
  sql<PresenceRow>`
    with connection as (
      select s.id, s.email, s.opened_at, coalesce(s.closed_at, s.seen_at) as ended_at
      from remote_session s join machine m on m.id = s.machine_id
        left join portal_user u on u.email = s.email
      where m.training_id = ${training} and coalesce(u.role, 'user') = 'user'
        and not exists (select from training_instructor i where i.training_id = m.training_id and i.user_id = s.user_id)
        and s.opened_at < ${until} and coalesce(s.closed_at, s.seen_at) > ${from})
    select 'connection' as kind, email, opened_at as "from", ended_at as until from connection
    union all
    select 'input', c.email, i.began_at, i.ended_at + make_interval(secs => ${INPUT_SECONDS})
    from remote_input i join connection c on c.id = i.remote_session_id
    union all
    select 'run', m.email, greatest(r.started_at, m.handed_over_at), coalesce(r.stopped_at, portal_now())
    from run r join machine m on m.id = r.machine_id
    where m.training_id = ${training} and not m.spare and r.started_at < ${until}
      and coalesce(r.stopped_at, portal_now()) > greatest(${from}::timestamptz, m.handed_over_at)`.execute(db)

/** Learners with a machine in the training, and those of the given addresses, with their names. */
export const selectLearners = (db: Db, training: TrainingId, seen: readonly string[]) =>
  sql<{ email: string; learnerName: string | null }>`
    select m.email, ${LEARNER_NAME} from (
      select email, organisation_id from machine where training_id = ${training} and desired <> 'gone' and not spare
      union
      select seen.email, organisation_id from training cross join unnest(${seen}::text[]) as seen (email)
      where id = ${training}) m`.execute(db)
