import { requestDecided } from './jobs.ts'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { changeRequest } from '../contract/change-request.ts'
import { requestText } from '../contract/change-request-words.ts'
import type { MachineId, OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Change } from '@trainyard/platform/server/core/audit.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { increaseQuota } from '@trainyard/machines/server/increase-quota.ts'
import { leadsClass } from '@trainyard/trainings/server/instructor.ts'
import { subjectOf } from './list.ts'
import { lockRequestRow, type LockedRequest } from './queries.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { noticed } from '@trainyard/users/server/notices.ts'
import { selectNoticeOf } from './queries.ts'

/**
 * Ends an open request and, if it is approved, makes the change. The requester receives an e-mail.
 * @throws Problem notFound, also out of scope; forbidden for an own request; conflict if the request is not open or the
 * change is no longer possible
 */
export async function decideRequest(
  tx: Tx,
  jobs: JobQueue,
  actor: Actor,
  { id, organization, decision, reason }: BodyOf<typeof changeRequest.decide>,
): Promise<{ readonly text: string; readonly change: Change | null }> {
  const organisation = await organisationInScope(tx, actor, organization)
  const request = await lockRequest(tx, organisation.id, id)
  if (request === undefined || !(await mayDecide(tx, actor, request))) throw notFound('request')
  if (request.by === actor.id) throw new Problem('forbidden', 'Another person must decide your request.')
  if (request.state !== 'open') throw conflict('This request has already been decided or withdrawn.')
  const change = decision === 'approved' ? await approve(tx, organisation.id, request) : null
  await tx
    .updateTable('change_request')
    .set({
      state: decision,
      decided_by: actor.email,
      decided_at: sql<Date>`portal_now()`,
      answer: reason ?? null,
    })
    .where('id', '=', request.id)
    .execute()
  const { rows } = await selectNoticeOf(tx, request.id)
  const { training, request: subject, answer } = rows[0]!
  await emit(tx, noticed, [
    {
      audience: 'person',
      organisation: organisation.id,
      training,
      about: request.by,
      kind: 'request.decided',
      text: `Your request was ${decision}: ${requestText(subject)}.${answer === null ? '' : ` ${answer}`}`,
      link: '/requests',
    },
  ])
  await jobs.enqueue(tx, requestDecided, [{ request: request.id }])
  return { text: requestText(subjectOf(request)), change }
}

async function lockRequest(tx: Tx, organisation: OrganisationId, id: string): Promise<LockedRequest | undefined> {
  const { rows } = await lockRequestRow(tx, id, organisation)
  return rows[0]
}

async function mayDecide(tx: Tx, actor: Actor, { kind, training_id }: LockedRequest): Promise<boolean> {
  return kind === 'hours' ? leadsClass(tx, actor, training_id!) : actor.role === 'superadmin'
}

/** @throws Problem conflict if the change is not possible */
async function approve(tx: Tx, organisation: OrganisationId, request: LockedRequest): Promise<Change | null> {
  if (request.kind === 'admin') {
    await requireAdmin(tx, organisation, request.email!)
    return null
  }
  if (request.machine_id !== null) await requireLearner(tx, request.machine_id, request.by)
  const { before, after } = await increaseQuota(tx, request.training_id!, request.minutes!, request.machine_id)
  return { before: { minutes: before }, after: { minutes: after } }
}

/**
 * Requires that the admin exists. A superadmin invites the admin with a separate form, in which the superadmin confirms
 * their identity.
 */
async function requireAdmin(tx: Tx, organisation: OrganisationId, email: string): Promise<void> {
  const admin = await tx
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', email)
    .where('organisation_id', '=', organisation)
    .where('role', '=', 'admin')
    .executeTakeFirst()
  if (admin === undefined) {
    throw conflict(`${email} is not an admin yet. Add them in System Admin Panel, then approve the request.`)
  }
}

/** Requires that the requester still has the machine. It may have been handed to another learner since the request. */
async function requireLearner(tx: Tx, machine: MachineId, learner: UserId): Promise<void> {
  const found = await tx
    .selectFrom('machine')
    .innerJoin('portal_user', 'portal_user.email', 'machine.email')
    .select('machine.id')
    .where('machine.id', '=', machine)
    .where('portal_user.id', '=', learner)
    .where('machine.withheld_at', 'is', null)
    .forUpdate('machine')
    .executeTakeFirst()
  if (found === undefined) throw conflict('The machine is no longer that of the learner who asked. Refuse the request.')
}
