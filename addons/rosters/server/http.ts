import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { roster, RosterMember, RosterSource } from '../contract/roster.ts'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { ROSTER, type RosterKind } from '../contract/training-roster.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RosterRow } from '../tables.gen.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { lockTrainingToPlan, trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { assignedTemplate } from '@trainyard/templates/server/find.ts'
import { applyRoster, removeMembers, requestMachines } from './apply.ts'
import type { ListedMember } from './compare.ts'
import { applyInstructors } from './instructors.ts'
import {
  applyMachineRule,
  endWithholdingOfRoster,
  markByHand,
  countScheduledDeletions,
  selectRosterMembers,
  isPending,
} from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** An external system that has lists of people. Trainings can follow these lists. */
export interface RosterLists {
  readonly kind: RosterKind
  /** Returns the lists of the organisation. */
  listsOf(db: Db, organisation: OrganisationId): Promise<Omit<RosterSource, 'kind'>[]>
  /** Returns the members of a list of the organisation, as last received; null if the list does not exist. */
  membersOf(
    db: Db,
    organisation: OrganisationId,
    key: string,
  ): Promise<{ readonly name: string; readonly members: readonly ListedMember[] } | null>
}

/** The systems that have lists. */
export const rosterLists = hook<null, readonly RosterLists[]>('rosters.lists', [], (first, second) => [
  ...first,
  ...second,
])

export interface RosterHandlerDependencies {
  readonly jobs: JobQueue
}

export const rosterHandlers = ({ jobs }: RosterHandlerDependencies): HandlersOf<'roster'> => ({
  async show(db, { actor, query }) {
    const { id, organisationId } = await trainingInScope(db, actor, query)
    const sources = await ask(db, rosterLists, null)
    const lists = await Promise.all(
      sources.map(async ({ kind, listsOf }) => (await listsOf(db, organisationId)).map((list) => ({ kind, ...list }))),
    )
    const row = await db.selectFrom('roster').selectAll().where('training_id', '=', id).executeTakeFirst()
    return { roster: row === undefined ? null : await rosterView(db, row), sources: lists.flat() }
  },

  async save(tx, { actor, body, auditChange }) {
    const training = await lockTrainingToPlan(tx, actor, body)
    await lockOrganisation(tx, training.organisationId, 'use')
    const { source, rules } = body
    const sources = await ask(tx, rosterLists, null)
    const list = await sources
      .find(({ kind }) => kind === source.kind)
      ?.membersOf(tx, training.organisationId, source.key)
    if (list === null || list === undefined) throw notFound('list of members')
    if (rules.machineRule !== 'none' && rules.templateName === null)
      throw new Problem('invalid', 'templateName is required to order machines.')
    const template =
      rules.templateName === null ? null : await assignedTemplate(tx, training.organisationId, rules.templateName)
    const before = await lockRosterOf(tx, training.id)
    const followsOther = before !== null && (before.kind !== source.kind || before.external_key !== source.key)
    if (followsOther) throw conflict(`${training.name} follows ${before.name} already. End that first.`)
    const columns = {
      name: list.name,
      machine_rule: rules.machineRule,
      template_id: template,
      allotted_minutes: rules.allottedMinutes,
      guacamole: rules.guacamole,
      seats: rules.seats,
      grace_days: rules.graceDays,
    }
    const saved = await tx
      .insertInto('roster')
      .values({
        organisation_id: training.organisationId,
        training_id: training.id,
        kind: source.kind,
        external_key: source.key,
        made_by: actor.email,
        ...columns,
      })
      .onConflict((on) => on.column('training_id').doUpdateSet(columns))
      .returningAll()
      .executeTakeFirstOrThrow()
    // Refused orders are retried with the new rules.
    await applyMachineRule(tx, rules.machineRule, saved.id)
    await applyRoster(tx, jobs, saved.id, list.members)
    await requestMachines(tx, saved)
    auditChange(before === null ? null : auditView(before), auditView(saved))
    return { message: ROSTER.saved(training.name, list.name) }
  },

  async remove(tx, { actor, body, auditChange }) {
    const training = await lockTrainingToPlan(tx, actor, body)
    const before = await lockRosterOf(tx, training.id)
    // The call is idempotent: a retry after a lost reply succeeds.
    if (before === null) return { message: ROSTER.removed(training.name) }
    const waiting = await scheduledDeletions(tx, before)
    if (waiting > 0) throw conflict(ROSTER.deletionsWait(waiting))
    // Machines without a scheduled deletion become usable again.
    const { rows: usable } = await endWithholdingOfRoster(tx, before.id)
    await machinesChanged(
      tx,
      usable.map(({ id }) => id),
    )
    await tx.deleteFrom('roster').where('id', '=', before.id).execute()
    auditChange(auditView(before), null)
    return { message: ROSTER.removed(training.name) }
  },

  async decide(tx, { actor, body, auditChange }) {
    const training = await lockTrainingToPlan(tx, actor, body)
    const row = await lockRosterOf(tx, training.id)
    if (row === null) throw notFound('roster')
    if (row.pending_since === null) throw conflict(ROSTER.nothingPending)
    if (row.version !== body.version) throw conflict(ROSTER.changed)
    const pending = await tx
      .selectFrom('roster_member')
      .select(['external_id', 'email'])
      .where('roster_id', '=', row.id)
      .where(isPending)
      .execute()
    const ids = pending.map(({ external_id }) => external_id)
    if (body.approve) await removeMembers(tx, row, ids)
    else {
      await markByHand(tx, row.id, ids)
    }
    await tx
      .updateTable('roster')
      .set({
        pending_since: null,
        version: sql<number>`version + 1`,
        ...(body.approve && { approved_at: sql<Date>`portal_now()`, departed: ids.length }),
      })
      .where('id', '=', row.id)
      .execute()
    await applyInstructors(tx, jobs, row)
    auditChange(null, {
      source: row.name,
      removal: body.approve ? 'approved' : 'refused',
      learners: pending.map(({ email }) => email),
    })
    return { message: body.approve ? ROSTER.approved(ids.length) : ROSTER.refused(ids.length) }
  },
})

/** Returns the number of withheld machines that no other roster would delete. */
async function scheduledDeletions(tx: Tx, { id }: RosterRow): Promise<number> {
  const { rows } = await countScheduledDeletions(tx, id)
  return rows[0]!.machines
}

async function lockRosterOf(tx: Tx, training: TrainingId): Promise<RosterRow | null> {
  const row = await tx
    .selectFrom('roster')
    .selectAll()
    .where('training_id', '=', training)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

const auditView = ({ kind, name, machine_rule, allotted_minutes, seats, grace_days }: RosterRow) => ({
  kind,
  source: name,
  machineRule: machine_rule,
  allottedMinutes: allotted_minutes,
  seats,
  graceDays: grace_days,
})

async function rosterView(db: Db, row: RosterRow): Promise<NonNullable<ReplyOf<typeof roster.show>['roster']>> {
  const template =
    row.template_id === null
      ? undefined
      : await db.selectFrom('template').select('name').where('id', '=', row.template_id).executeTakeFirst()
  const { rows } = await selectRosterMembers(db, row.id)
  const { count } = await db
    .selectFrom('roster_member')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('roster_id', '=', row.id)
    .where(isPending)
    .executeTakeFirstOrThrow()
  return {
    source: { kind: row.kind, key: row.external_key, name: row.name },
    rules: {
      machineRule: row.machine_rule,
      templateName: template?.name ?? null,
      allottedMinutes: row.allotted_minutes,
      guacamole: row.guacamole,
      seats: row.seats,
      graceDays: row.grace_days,
    },
    version: row.version,
    lastRun:
      row.ran_at === null
        ? null
        : { at: row.ran_at.toISOString(), joined: row.joined, returned: row.returned, left: row.departed },
    pendingRemoval: row.pending_since === null ? null : { since: row.pending_since.toISOString(), learners: count },
    members: rows.map((member): RosterMember => ({
      email: member.email,
      name: member.name,
      role: member.role,
      state: member.left_at !== null ? 'left' : member.pending ? 'removal pending' : 'member',
      since: member.joined_at.toISOString(),
      leftAt: member.left_at?.toISOString() ?? null,
      machine: member.machine,
      deletesAt: member.delete_at?.toISOString() ?? null,
      byHand: member.by_hand,
      problem: member.problem,
    })),
  }
}
