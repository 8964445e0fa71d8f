import { sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { refuseTooManyPlanned } from '@trainyard/schedules/server/create.ts'
import { isPending, learnerItemId, scheduleItemId } from './differences.ts'
import { insertSchedules, removeRecurrences, removeSchedules } from './queries.ts'
import { type PortalRule, runsOfRule } from './rules.ts'
import { labInScope, type LabState, statesOf } from './state.ts'
import type { Applied, AppliedSchedule } from './target.ts'
import { insertTraining, restoreTraining } from '@trainyard/trainings/server/existence.ts'
import { classChanged } from '@trainyard/trainings/server/machine-changes.ts'

export interface ApplyResult {
  readonly training: string
  readonly changes: number
}

/**
 * Imports one lab: creates or changes its training, idle stop and schedules, and stores its learners for the cut-over.
 * Importing the same lab again changes nothing.
 * @param ticked IDs of items to overwrite or remove in the portal
 * @throws Problem conflict if the lab has moved or cannot be imported
 */
export async function applyLab(tx: Tx, actor: Actor, lab: string, ticked: ReadonlySet<string>): Promise<ApplyResult> {
  const state = await lockedState(tx, actor, lab)
  const { row, source, target, items } = state
  if (row.moved_at !== null) throw conflict(`${source.title} has moved. It cannot be imported again.`)
  if (!row.isRead) throw conflict(`${source.title} is still being read. Try again when the reading has finished.`)
  const blocking = items.find((each) => each.kind === 'lab' && each.state === 'blocked')
  if (blocking !== undefined) throw conflict(`${source.title} cannot be imported: ${blocking.reason} ${blocking.todo}`)
  const training = await ensureTraining(tx, state)
  const changes = items.filter((each) => isPending(each) || (ticked.has(each.id) && TICKABLE.has(each.state)))
  const stateOf = new Map(items.map((each) => [each.id, each.state]))
  const isWritten = (id: string) => changes.some((each) => each.id === id)
  const idle = items.find(({ kind }) => kind === 'idle stop')
  const idleIsWritten = idle !== undefined && isWritten(idle.id)
  if (idleIsWritten) {
    await tx
      .updateTable('training')
      .set({ idle_stop_minutes: target.idleStopMinutes })
      .where('id', '=', training.id)
      .execute()
    await classChanged(tx, training.id)
  }
  const before: Applied = state.applied ?? {
    madeTraining: training.isMade,
    idleBefore: training.idleStopMinutes,
    idleStopMinutes: training.idleStopMinutes,
    learners: {},
    schedules: {},
  }
  const schedules = { ...before.schedules }
  const ref = { actor, training: training.id, organisation: row.organisation_id }
  for (const [key, rules] of Object.entries(target.schedules)) {
    const id = scheduleItemId(key)
    if (!isWritten(id)) continue
    if (schedules[key] !== undefined) await cancel(tx, schedules[key])
    schedules[key] = await plan(tx, ref, rules)
  }
  const learners = { ...before.learners }
  for (const [email, minutes] of Object.entries(target.learners)) {
    if (isWritten(learnerItemId(email))) learners[email] = minutes
  }
  for (const id of ticked) {
    if (stateOf.get(id) !== 'leftover') continue
    const key = Object.keys(schedules).find((each) => scheduleItemId(each) === id)
    const email = Object.keys(learners).find((each) => learnerItemId(each) === id)
    if (key !== undefined) {
      await cancel(tx, schedules[key]!)
      delete schedules[key]
    }
    if (email !== undefined) delete learners[email]
  }
  const applied: Applied = {
    ...before,
    idleStopMinutes: idleIsWritten ? target.idleStopMinutes : before.idleStopMinutes,
    learners,
    schedules,
  }
  await tx
    .updateTable('imported_lab')
    .set({ training_id: training.id, applied: JSON.stringify(applied), applied_at: sql<Date>`portal_now()` })
    .where('id', '=', row.id)
    .execute()
  return { training: training.name, changes: changes.length }
}

const TICKABLE: ReadonlySet<string> = new Set(['conflict', 'leftover'])

/** Locks a lab and its organisation, and returns the state of the lab. */
export async function lockedState(tx: Tx, actor: Actor, lab: string): Promise<LabState> {
  const row = await labInScope(tx, actor, lab, true)
  await lockOrganisation(tx, row.organisation_id, 'use')
  return (await statesOf(tx, row.organisation_id, [row]))[0]!
}

interface ImportedTraining {
  readonly id: TrainingId
  readonly name: string
  readonly isMade: boolean
  readonly idleStopMinutes: number | null
}

async function ensureTraining(tx: Tx, { row, trainingName }: LabState): Promise<ImportedTraining> {
  const organisation_id = row.organisation_id
  const columns = ['id', 'name', 'idle_stop_minutes as idleStopMinutes'] as const
  if (row.training_id !== null) {
    const found = await tx
      .selectFrom('training')
      .select(columns)
      .where('id', '=', row.training_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    return { ...found, isMade: false }
  }
  const created = await insertTraining(tx, organisation_id, trainingName)
  // A removed training with the same name is restored, for example the training of a lab that was rolled back. The
  // import never proposes the name of an active training.
  const training = await tx
    .selectFrom('training')
    .select(columns)
    .where('organisation_id', '=', organisation_id)
    .where('name', '=', trainingName)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const isMade =
    training !== undefined &&
    (created !== undefined || (await restoreTraining(tx, { id: training.id, organisation: organisation_id })))
  if (isMade) return { ...training, isMade }
  throw conflict(`There is already a training named ${trainingName}. Choose another name.`)
}

interface Place {
  readonly actor: Actor
  readonly training: TrainingId
  readonly organisation: OrganisationId
}

/** Inserts the future runs of the rules. */
async function plan(
  tx: Tx,
  { actor, training, organisation }: Place,
  rules: readonly PortalRule[],
): Promise<AppliedSchedule> {
  const now = await portalNow(tx)
  const [weekly, single]: [string[], string[]] = [[], []]
  for (const rule of rules) {
    const runs = runsOfRule(rule).filter(({ at }) => at > now)
    if (runs.length === 0) continue
    const shared = {
      training_id: training,
      organisation_id: organisation,
      action: rule.action,
      time: rule.time,
      time_zone: rule.timeZone,
      created_by: actor.email,
    }
    let recurrence: string | null = null
    if (rule.weekly !== null) {
      const { weekdays, from, until } = rule.weekly
      const { id } = await tx
        .insertInto('recurrence')
        .values({ ...shared, weekdays: [...weekdays], from_date: from, until_date: until })
        .returning('id')
        .executeTakeFirstOrThrow()
      recurrence = id
      weekly.push(id)
    }
    const { rows } = await insertSchedules(tx, {
      training,
      organisation,
      action: rule.action,
      time: rule.time,
      timeZone: rule.timeZone,
      email: actor.email,
      recurrence,
      runs,
    })
    if (recurrence === null) single.push(...rows.map(({ id }) => id))
  }
  await refuseTooManyPlanned(tx, training)
  return { rules, weekly, single }
}

/** Cancels the future runs of an imported schedule. Past runs are still listed. */
export async function cancel(tx: Tx, { weekly, single }: AppliedSchedule): Promise<void> {
  await removeRecurrences(tx, [...weekly])
  await removeSchedules(tx, [...weekly], [...single])
}
