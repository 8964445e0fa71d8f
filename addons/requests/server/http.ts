import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { machinesInScope, trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { addRequest, withdrawRequest } from './ask.ts'
import { decideRequest } from './decide.ts'
import { limitedMachinesOf, requestsOf, requestsToDecide } from './list.ts'

export const changeRequestHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'changeRequest'> => ({
  async list(db, { actor }) {
    return {
      mine: await requestsOf(db, actor),
      toDecide: await requestsToDecide(db, actor),
      machines: await limitedMachinesOf(db, actor),
    }
  },

  async askHours(tx, { actor, body: { vmName, minutes, reason } }) {
    const machine = await machinesInScope(tx, actor)
      .select(['id', 'organisation_id', 'training_id', 'allotted_minutes', 'terminated_at', 'desired'])
      .where('name', '=', vmName)
      // Its replacement moves the requests that it finds.
      .forKeyShare('machine')
      .executeTakeFirst()
    if (machine === undefined) throw notFound('machine')
    const { id, organisation_id, training_id, allotted_minutes, terminated_at, desired } = machine
    if (terminated_at !== null || desired === 'gone') throw conflict(`${vmName} was deleted.`)
    if (allotted_minutes === null) throw conflict(`${vmName} has no limit of hours.`)
    await addRequest(tx, actor, { kind: 'hours', organisation_id, training_id, machine_id: id, minutes, reason })
    return { message: 'Request sent. Your instructor or an admin decides it.' }
  },

  async askQuota(tx, { actor, body: { minutes, reason, ...of } }) {
    const { id, organisationId } = await trainingInScope(tx, actor, of)
    await addRequest(tx, actor, {
      kind: 'quota',
      organisation_id: organisationId,
      training_id: id,
      minutes,
      reason,
    })
    return { message: 'Request sent. The supplier decides it.' }
  },

  async askAdmin(tx, { actor, body: { email, reason } }) {
    const { id } = await organisationInScope(tx, actor, undefined)
    const admin = await tx
      .selectFrom('portal_user')
      .select('id')
      .where('email', '=', email)
      .where('organisation_id', '=', id)
      .where('role', '=', 'admin')
      .executeTakeFirst()
    if (admin !== undefined) throw conflict(`${email} is already an admin.`)
    await addRequest(tx, actor, { kind: 'admin', organisation_id: id, email, reason })
    return { message: 'Request sent. The supplier decides it.' }
  },

  async withdraw(tx, { actor, body }) {
    await withdrawRequest(tx, actor, body.id)
    return { message: 'Request withdrawn.' }
  },

  async decide(tx, { actor, body, auditChange }) {
    const { text, change } = await decideRequest(tx, jobs, actor, body)
    if (change !== null) auditChange(change.before, change.after)
    return { message: `Request ${body.decision}: ${text}.` }
  },
})
