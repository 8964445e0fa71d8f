import { type RawBuilder, sql } from 'kysely'
import { FILE_MESSAGES } from '@trainyard/platform/contract/words/file.ts'
import type { Desired, Observed } from '@trainyard/machines/contract/machine-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { REMOTE_MESSAGES } from '../contract/remote-words.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { isRestricted } from '@trainyard/users/server/restricted.ts'
import { signIns } from '@trainyard/users/server/valid-session.ts'
import { hhmm, isWindowOpen } from '@trainyard/trainings/server/window.ts'
import { updateSeen, closeAbandonedSessions, selectAbandonedSessions } from './queries.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

interface Facts {
  readonly id: string
  readonly closed: boolean
  readonly allowed: boolean
  readonly training: string
  readonly machine: string
  readonly desired: Desired
  readonly observed: Observed
  readonly signedIn: boolean
  readonly inScope: boolean
  readonly role: Role | null
  readonly windowOpen: boolean
  readonly start: string | null
  readonly stop: string | null
  readonly days: number[] | null
}

export async function endReasons(
  db: Db,
  terminals: readonly string[],
  rule: SecondFactorRule,
): Promise<Map<string, string>> {
  await updateSeen(db, terminals)
  await closeAbandoned(db, null)
  return reasonsFor(
    db,
    sql`(select r.id, r.machine_id, r.session_hash, r.closed_at is not null as closed,
      r.kind <> 'ssh' or t.files_allowed as allowed
      from remote_session r join machine m on m.id = r.machine_id join training t on t.id = m.training_id
      where r.id = any(${terminals}::uuid[]))`,
    rule,
  )
}

export const transferEndReasons = (
  db: Db,
  transfers: readonly string[],
  rule: SecondFactorRule,
): Promise<Map<string, string>> =>
  reasonsFor(
    db,
    sql`(select f.id, f.machine_id, f.session_hash, f.ended_at is not null as closed, t.files_allowed as allowed
      from file_transfer f join machine m on m.id = f.machine_id join training t on t.id = m.training_id
      where f.id = any(${transfers}::uuid[]))`,
    rule,
  )

/** @param rows query with the columns id, machine_id, session_hash, closed and allowed */
async function reasonsFor(db: Db, rows: RawBuilder<unknown>, rule: SecondFactorRule): Promise<Map<string, string>> {
  const { rows: facts } = await sql<Facts>`
    select r.id, r.closed, r.allowed, training.name as training, m.name as machine, m.desired, m.observed,
      u.id is not null and not ${isRestricted('u', rule)} as "signedIn", u.role,
      coalesce(u.role = 'superadmin' or (u.organisation_id = m.organisation_id
        and (u.role = 'admin' or (u.role = 'user' and u.email = m.email and m.withheld_at is null))), false) as "inScope",
      (${isWindowOpen} or exists (select from training_instructor i
        where i.training_id = training.id and i.user_id = u.id)) as "windowOpen", training.access_start as start, training.access_stop as stop,
      training.access_days as days
    from ${rows} r
    join machine m on m.id = r.machine_id
    join training on training.id = m.training_id
    join organisation on organisation.id = training.organisation_id
    left join lateral (
      select user_id from (${sqlOf(signIns, null)}) as sign_in where token_hash = r.session_hash) as s on true
    left join portal_user u on u.id = s.user_id`.execute(db)
  return new Map(
    facts.flatMap((each) => {
      const reason = reasonFor(each)
      return reason === null ? [] : [[each.id, reason] as const]
    }),
  )
}

/**
 * Closes sessions whose process has died. The audit row has no actor, because no user closed the session.
 * @param ids IDs of the sessions; null for all sessions
 */
async function closeAbandoned(db: Db, ids: readonly string[] | null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await closeAbandonedSessions(tx, ids)
    await activityChanged(
      tx,
      rows.map(({ id }) => id),
    )
  })
}

/**
 * Returns a task that closes abandoned sessions. A session is closed in the second run that finds it, because after a
 * jump of the clock a running process marks its sessions as seen between the two runs.
 */
export function abandonedRemoteSessions(db: Db): () => Promise<void> {
  let found: readonly string[] = []
  return async () => {
    const { rows } = await selectAbandonedSessions(db)
    const ids = rows.map(({ id }) => id)
    const again = ids.filter((id) => found.includes(id))
    if (again.length > 0) await closeAbandoned(db, again)
    found = ids
  }
}

function reasonFor(facts: Facts): string | null {
  const { machine } = facts
  if (facts.closed) return REMOTE_MESSAGES.portalRestarting
  if (!facts.signedIn) return REMOTE_MESSAGES.signedOut
  if (!facts.inScope) return REMOTE_MESSAGES.outOfScope(machine)
  if (facts.role === 'user' && !facts.windowOpen)
    return ALERTS.outsideWindow(hhmm(facts.start!), hhmm(facts.stop!), facts.days)
  if (!facts.allowed) return FILE_MESSAGES.notAllowed(facts.training)
  if (facts.desired !== 'running') return REMOTE_MESSAGES.poweredOff(machine)
  if (facts.observed !== 'running') return REMOTE_MESSAGES.notRunning(machine)
  return null
}
