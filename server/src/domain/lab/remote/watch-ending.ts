import { sql } from 'kysely'
import { REMOTE_MESSAGES } from '@trainyard/contract/words/remote.ts'
import type { Db } from '../../../db/schema.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import { isRestricted } from '../../../core/second-factor-duty.ts'
import { sessionIsValid } from '../../../core/valid-session.ts'

/**
 * Seconds after the end of a terminal at which its open watches are closed here, because their process must have died.
 */
const ABANDONED_WATCH_SECONDS = 30

/** Returns the reason why each of the given watches must end. A watch that may continue is absent. */
export async function watchEndReasons(
  db: Db,
  watches: readonly string[],
  rule: SecondFactorRule,
): Promise<Map<string, string>> {
  const signedIn = sql`(coalesce(${sessionIsValid('s')}, false) and not ${isRestricted('u', rule)})`
  await closeAbandonedWatches(db)
  if (watches.length === 0) return new Map()
  const { rows } = await sql<{ id: string; machine: string; signedIn: boolean; closed: boolean }>`
    select w.id, m.name as machine, w.closed_at is not null as closed,
      ${signedIn} as "signedIn"
    from remote_watch w
    join remote_session r on r.id = w.terminal_id
    join machine m on m.id = r.machine_id
    left join session s on s.token_hash = w.session_hash
    left join portal_user u on u.id = s.user_id
    where w.id = any(${watches}::uuid[]) and (w.closed_at is not null or not ${signedIn}
      or not coalesce(u.role = 'superadmin' or (u.role = 'admin' and u.organisation_id = w.organisation_id)
        or exists (select from training_instructor i where i.training_id = m.training_id and i.user_id = u.id), false))
  `.execute(db)
  return new Map(
    rows.map(({ id, machine, signedIn, closed }) => [
      id,
      closed
        ? REMOTE_MESSAGES.portalRestarting
        : signedIn
          ? REMOTE_MESSAGES.outOfScope(machine)
          : REMOTE_MESSAGES.signedOut,
    ]),
  )
}

/** Closes watches whose process has died. The audit row has no actor, because no user closed the watch. */
async function closeAbandonedWatches(db: Db): Promise<void> {
  await sql`
    with closed as (
      update remote_watch w set closed_at = portal_now(), ended = ${REMOTE_MESSAGES.portalRestarting}
      from remote_session r where r.id = w.terminal_id and w.closed_at is null
        and r.closed_at < portal_now() - make_interval(secs => ${ABANDONED_WATCH_SECONDS})
      returning w.id, w.organisation_id, w.email, w.terminal_id, r.machine_id,
        coalesce(round(extract(epoch from r.closed_at - w.began_at)), 0)::int as seconds)
    insert into audit (request_id, call, organisation_id, detail)
    select closed.id::text, 'remote.watchEnd', closed.organisation_id, jsonb_build_object('machine', machine.name,
      'learner', machine.email, 'terminal', closed.terminal_id, 'watch', closed.id, 'watcher', closed.email,
      'seconds', closed.seconds, 'ended', ${REMOTE_MESSAGES.portalRestarting}::text)
    from closed join machine on machine.id = closed.machine_id`.execute(db)
}
