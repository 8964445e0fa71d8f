import { type RawBuilder, sql } from 'kysely'
import type { ChangeRequest } from '../contract/change-request.ts'
import type { RequestSubject } from '../contract/change-request-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { machinesInScope } from '@trainyard/trainings/server/scope.ts'
import { selectRequests, type SubjectColumns } from './queries.ts'

/** Returns the subject of a request. Constraints of the table guarantee the columns of each kind. */
export function subjectOf({ kind, training, machine, minutes, email }: SubjectColumns): RequestSubject {
  if (kind === 'admin') return { kind, email: email! }
  if (kind === 'quota') return { kind, minutes: minutes!, training: training! }
  return { kind, minutes: minutes!, machine: machine!, training: training! }
}

export const requestsOf = (db: Db, { id }: Actor): Promise<ChangeRequest[]> =>
  requestsWhere(db, sql`r.asked_by = ${id} order by r.asked_at desc, r.id limit 50`)

/**
 * Returns the requests that the actor can decide. Superadmins decide about quotas and admins. Admins and instructors
 * decide about hours. No user decides about an own request.
 */
export function requestsToDecide(db: Db, { id, role, organisation }: Actor): Promise<ChangeRequest[]> {
  const inScope =
    role === 'superadmin'
      ? sql`r.kind <> 'hours'`
      : sql`r.kind = 'hours' and r.organisation_id = ${organisation?.id ?? null} and (${role === 'admin'}
          or r.training_id in (select training_id from training_instructor where user_id = ${id}))`
  return requestsWhere(
    db,
    sql`r.state = 'open' and r.asked_by <> ${id} and ${inScope} order by r.asked_at, r.id limit 200`,
  )
}

async function requestsWhere(db: Db, condition: RawBuilder<unknown>): Promise<ChangeRequest[]> {
  const { rows } = await selectRequests(db, condition)
  return rows.map(({ id, organization, reason, state, by, at, decidedBy, answer, ...subject }) => ({
    id,
    organization,
    subject: subjectOf(subject),
    reason,
    state,
    by,
    at: at.toISOString(),
    decidedBy,
    answer,
  }))
}

/** Names of the user's live machines with a limit of hours. */
export async function limitedMachinesOf(db: Db, actor: Actor): Promise<string[]> {
  if (actor.role !== 'user' || actor.organisation === null) return []
  const rows = await machinesInScope(db, actor)
    .select('name')
    .where('allotted_minutes', 'is not', null)
    .where('terminated_at', 'is', null)
    .where('desired', '<>', 'gone')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
