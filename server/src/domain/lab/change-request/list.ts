import { type RawBuilder, sql } from 'kysely'
import type { ChangeRequest } from '@trainyard/contract/calls/change-request.ts'
import type { ChangeRequestKind, RequestSubject } from '@trainyard/contract/words/change-request.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Db } from '../../../db/schema.ts'
import { machinesInScope } from '../training/scope.ts'

/** Columns of `change_request as r`, with the names of training and machine, that `subjectOf` needs. */
export interface SubjectColumns {
  readonly kind: ChangeRequestKind
  readonly training: string | null
  readonly machine: string | null
  readonly minutes: number | null
  readonly email: string | null
}

export const SUBJECT_COLUMNS = sql`r.kind, r.minutes, r.email,
  (select name from training where id = r.training_id) as training,
  (select name from machine where id = r.machine_id) as machine`

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
  const { rows } = await sql<SubjectColumns & Omit<ChangeRequest, 'subject' | 'at'> & { readonly at: Date }>`
    select r.id, o.name as organization, ${SUBJECT_COLUMNS}, r.reason, r.state, u.email as by, r.asked_at as at,
      r.decided_by as "decidedBy", r.answer
    from change_request r join organisation o on o.id = r.organisation_id join portal_user u on u.id = r.asked_by
    where o.removed_at is null and ${condition}`.execute(db)
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
