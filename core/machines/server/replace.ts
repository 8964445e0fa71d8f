import { sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask, emit } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { machinesToCommand } from '@trainyard/trainings/server/scope.ts'
import { lockPrices } from '@trainyard/usage/server/prices.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import type { MachineRef } from '../contract/machine-ref.ts'
import { can } from '../contract/machine-words.ts'
import { setDesiredMachines } from './desired-state.ts'
import { accessEnded, learnerLocked, machineReplaced, machineReplacing } from './events.ts'
import { lockMachinesByName } from './lock-by-name.ts'
import { requireMayOrder, requireMayStart } from './may-start.ts'
import { addMachines } from './order/add-machines.ts'
import { orderableTemplate } from './order/order.ts'
import { refusedStart } from './power.ts'
import { preflight } from './order/preflight.ts'
import { assignSpares, readyMachines } from './order/spares.ts'
import { insertOrderCopy } from './order/queries.ts'
import { type LockedMachine, updateQuotaEnds } from './queries.ts'

interface Replaced {
  readonly from: string
  readonly to: string
  readonly message: string
}

/**
 * Deletes a machine and gives its learner another one of the same card: a ready one if one waits, otherwise a new one.
 * The new machine takes the place of the old one in its order, so that this is no further order.
 * @throws Problem notFound; conflict if the learner must not get a machine, or if none can be ordered or started
 */
export async function replaceMachine(tx: Tx, actor: Actor, ref: MachineRef, seal: Seal): Promise<Replaced> {
  const { old, training, used } = await lockToReplace(tx, actor, ref)
  const template = await templateOf(tx, old)
  await endSeat(tx, old, used)
  const { organisation_id: organisation, allotted_minutes, guacamole } = old
  const seat = {
    order: old.order_id,
    emails: [old.email],
    orderedFor: old.ordered_for,
    allottedMinutes: allotted_minutes === null ? null : allotted_minutes - used,
    desired: old.desired === 'running' ? 'running' : 'stopped',
  } as const
  const [ready] = await ask(tx, readyMachines, { training: training.id, template: template.id, guacamole, count: 1 })
  let to: MachineId
  if (ready === undefined) {
    await preflight(tx, template, 1)
    const added = { ...seat, organisation, training, template, guacamole, plannedFor: null }
    to = (await addMachines(tx, seal, added))[0]!
  } else {
    await assignSpares(tx, { ...seat, machines: [ready] })
    to = ready
  }
  await emit(tx, accessEnded, [old.id])
  await emit(tx, machineReplaced, [{ from: old.id, to }])
  const { name } = await tx.selectFrom('machine').select('name').where('id', '=', to).executeTakeFirstOrThrow()
  const place = ready === undefined ? 'is being created in its place' : 'takes its place'
  return { from: old.name, to: name, message: `${old.name} is being deleted. ${name} ${place}.` }
}

interface ToReplace {
  readonly old: LockedMachine
  readonly training: { readonly id: TrainingId; readonly name: string }
  /** Minutes that count against the hours of the learner, rounded up. */
  readonly used: number
}

/** Locks a machine and what refers to it: the training, its roster, the learner, requests, prices, the machine. @throws as `replaceMachine` */
async function lockToReplace(tx: Tx, actor: Actor, ref: MachineRef): Promise<ToReplace> {
  const found = await machinesToCommand(tx, actor)
    .select(['id', 'email', 'organisation_id', 'training_id'])
    .where('name', '=', ref.name)
    .executeTakeFirst()
  if (found === undefined) throw notFound('machine')
  const { organisation_id: organisation, training_id } = found
  await lockOrganisation(tx, organisation, 'use')
  // A removal of the training waits, and then also deletes the new machine.
  const training = await tx
    .selectFrom('training')
    .select(['id', 'name'])
    .where('id', '=', training_id)
    .forShare()
    .executeTakeFirstOrThrow()
  const replacing = [{ training: training_id, machine: found.id }]
  await emit(tx, machineReplacing, replacing)
  // A learner who is being deactivated must not get a machine that runs.
  const learner = await tx
    .selectFrom('portal_user')
    .select('deactivated_at')
    .where('email', '=', found.email)
    .where('organisation_id', '=', organisation)
    .forShare()
    .executeTakeFirst()
  await emit(tx, learnerLocked, replacing)
  await lockPrices(tx, organisation, 'use')
  await requireMayOrder(tx, actor, organisation)
  const [selected] = await lockMachinesByName(tx, actor, [ref], can.replace)
  const { row: old, view } = selected!
  if (old.email !== found.email) throw conflict(`${old.name} was just given to another learner. Try again.`)
  const refusal = await ask(tx, refusedStart, [selected!])
  if (refusal !== null) throw conflict(refusal)
  if (learner !== undefined && learner.deactivated_at !== null)
    throw conflict(`${old.email} is deactivated. Hand ${old.name} over instead, or delete it.`)
  await requireMayStart(tx, actor, [training_id])
  const used = Math.ceil(((await secondsUsed(tx, [old.id])).get(old.id) ?? 0) / 60)
  // Less than a minute may be left.
  const may = can.replace({ ...view, quota: { consumed: used, total: old.allotted_minutes } })
  if (may !== true) throw conflict(may)
  return { old, training, used }
}

/** Returns the card that the machine was ordered by, as it is now. @throws Problem conflict if it cannot be ordered */
async function templateOf(tx: Tx, { order_id, organisation_id }: LockedMachine): Promise<TemplateRow> {
  const { template_name } = await tx
    .selectFrom('machine_order')
    .select('template_name')
    .where('id', '=', order_id)
    .executeTakeFirstOrThrow()
  try {
    return await orderableTemplate(tx, organisation_id, template_name)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'notFound') throw error
    throw conflict(`${template_name} can no longer be ordered. Order a machine of another card for the learner.`)
  }
}

/**
 * Deletes a machine and moves it from its order, so that another can take its place there, into a copy of that order.
 * Its allotted minutes become those that it has used, so that no minute counts twice.
 */
async function endSeat(tx: Tx, { id, order_id, allotted_minutes }: LockedMachine, used: number): Promise<void> {
  const { rows } = await insertOrderCopy(tx, order_id)
  const allotted = allotted_minutes === null || used === 0 ? null : used
  await setDesiredMachines(tx, {
    rows: [id],
    desired: 'gone',
    set: sql`order_id = ${rows[0]!.id}, allotted_minutes = ${allotted}::integer, quota_ends_at = null, used_up_at = null,
      restart_asked_at = null, reset_asked_at = null`,
  })
  await updateQuotaEnds(tx, [id])
}
