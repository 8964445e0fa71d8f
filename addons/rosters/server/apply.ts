import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId, RosterId } from '@trainyard/platform/contract/words/ids.ts'
import { ROSTER_MEMBERS_MAX, type RosterKind } from '../contract/training-roster.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RosterRow } from '../tables.gen.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { lockMachines } from '@trainyard/machines/server/record.ts'
import { accessEnded } from '@trainyard/machines/server/events.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { compareRoster, type ListedMember } from './compare.ts'
import { applyInstructors } from './instructors.ts'
import {
  markUnlisted,
  makeMachineDue,
  upsertMembers,
  selectReassignedMachines,
  updateOwners,
  updateListedMembers,
  selectMachinesOfRestored,
  endWithholding,
  forgetMachines,
  makeMachinesDue,
  markLeft,
  selectMachinesToWithhold,
  withholdMachines,
  scheduleDeletions,
} from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'
import { publishAssigned } from '@trainyard/machines/server/publish.ts'

/** Numbers of members that a run changed. */
export interface RosterRun {
  readonly joined: number
  readonly returned: number
  readonly departed: number
  /** Number of members whose removal waits for an admin. */
  readonly pending: number
}

const NO_CHANGE: RosterRun = { joined: 0, returned: 0, departed: 0, pending: 0 }

/** Maximum number of e-mail addresses per list in the audit row of a run. */
const AUDITED_EMAILS = 200

/** Returns the rosters that follow a list, in the order in which they must be locked. */
export async function rostersOf(
  db: Db,
  organisation: OrganisationId,
  kind: RosterKind,
  key: string,
): Promise<RosterId[]> {
  const rows = await db
    .selectFrom('roster')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('kind', '=', kind)
    .where('external_key', '=', key)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks a roster and returns it; null if it was deleted. */
export async function lockRoster(tx: Tx, id: RosterId): Promise<RosterRow | null> {
  const row = await tx.selectFrom('roster').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? null
}

/**
 * Changes the members of a roster to match the list of its source. Only rows are changed: a worker orders and deletes
 * the machines. Idempotent. Concurrent runs for the same roster wait for each other.
 * @throws Problem conflict if the list is too long
 */
export async function applyRoster(
  tx: Tx,
  jobs: JobQueue,
  id: RosterId,
  list: readonly ListedMember[],
): Promise<RosterRun> {
  if (list.length > ROSTER_MEMBERS_MAX) throw conflict(`A roster has at most ${ROSTER_MEMBERS_MAX} members.`)
  const roster = await lockRoster(tx, id)
  if (roster === null) return NO_CHANGE
  const stored = await tx
    .selectFrom('roster_member')
    .select(['external_id', 'email', 'name', 'role', 'listed', 'left_at', 'by_hand'])
    .where('roster_id', '=', id)
    .execute()
  const { count: recentlyLeft } = await tx
    .selectFrom('roster_member')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('roster_id', '=', id)
    .where(
      'left_at',
      '>',
      // The time is read in SQL, because a JavaScript date has no microseconds.
      sql<Date>`greatest(portal_now() - interval '1 hour', (select approved_at from roster where id = ${id}))`,
    )
    .executeTakeFirstOrThrow()
  const changes = compareRoster(stored, list, recentlyLeft)
  const { joined, returned, changed, absent, leaving } = changes
  await insertMembers(tx, roster, joined)
  await reassignMachines(tx, roster, [...returned, ...changed])
  await updateMembers(tx, roster, [...returned, ...changed])
  if (returned.length > 0) await restoreAccess(tx, roster, returned)
  await markUnlisted(tx, id, [...absent])
  await requestMachines(tx, roster)
  await removeMembers(tx, roster, leaving)
  await applyInstructors(tx, jobs, roster)
  const isChanged = joined.length + returned.length + changed.length + leaving.length > 0
  const known = new Map(stored.map((member) => [member.external_id, member]))
  const newlyAbsent = absent.some((member) => known.get(member)!.listed)
  await tx
    .updateTable('roster')
    .set({
      ran_at: sql<Date>`portal_now()`,
      joined: joined.length,
      returned: returned.length,
      departed: leaving.length,
      pending_since: changes.needsApproval ? sql<Date>`coalesce(pending_since, portal_now())` : null,
      ...((isChanged || newlyAbsent) && { version: sql<number>`version + 1` }),
    })
    .where('id', '=', id)
    .execute()
  const pending = changes.needsApproval ? absent.filter((member) => !known.get(member)!.by_hand) : []
  if (joined.length + returned.length + leaving.length > 0 || newlyAbsent) {
    const emails = (ids: readonly string[]) => ids.slice(0, AUDITED_EMAILS).map((member) => known.get(member)!.email)
    await auditRoster(tx, 'roster.run', roster, {
      joined: joined.slice(0, AUDITED_EMAILS).map(({ email }) => email),
      returned: returned.slice(0, AUDITED_EMAILS).map(({ email }) => email),
      left: emails(leaving),
      waiting: emails(pending),
      counts: {
        joined: joined.length,
        returned: returned.length,
        left: leaving.length,
        waiting: pending.length,
      },
    })
  }
  return { joined: joined.length, returned: returned.length, departed: leaving.length, pending: pending.length }
}

/** Orders a machine for a learner who opened the training, if the rule is `on_first_launch`. Idempotent. */
export async function recordLaunch(tx: Tx, id: RosterId, externalId: string): Promise<void> {
  await makeMachineDue(tx, id, externalId)
}

/** Writes the audit row of a change that no user made. */
export async function auditRoster(
  tx: Tx,
  call: 'roster.run' | 'roster.order',
  { organisation_id, training_id, name }: Pick<RosterRow, 'organisation_id' | 'training_id' | 'name'>,
  detail: Record<string, unknown>,
): Promise<void> {
  const { name: training } = await tx
    .selectFrom('training')
    .select('name')
    .where('id', '=', training_id)
    .executeTakeFirstOrThrow()
  await writeAudit(tx, {
    call,
    requestId: randomUUID(),
    actor: null,
    organisation: organisation_id,
    request: { training, source: name, ...detail },
  })
}

/**
 * Inserts members. Members who already have a machine in the training, or are its instructors, are marked as manually
 * added (`by_hand`), so that the roster never removes them.
 */
async function insertMembers(tx: Tx, roster: RosterRow, members: readonly ListedMember[]): Promise<void> {
  if (members.length === 0) return
  await upsertMembers(tx, roster.id, roster.organisation_id, members, roster.training_id)
}

/**
 * Reassigns the machines of members whose address has changed at the source, if the organisation has a user with
 * the new address. Machines that were handed over are not changed.
 */
async function reassignMachines(
  tx: Tx,
  { id, organisation_id }: RosterRow,
  members: readonly ListedMember[],
): Promise<void> {
  if (members.length === 0) return
  const { rows } = await selectReassignedMachines(tx, members, id, organisation_id)
  if (rows.length === 0) return
  const locked = await lockMachines(
    tx,
    rows.map(({ machine_id }) => machine_id),
  )
  await updateOwners(tx, rows)
  await publishAssigned(tx, new Map(locked.map(({ id: machine, email }) => [machine, email])))
  await machinesChanged(
    tx,
    rows.map(({ machine_id }) => machine_id),
  )
}

/**
 * Updates members that are listed. Resets `by_hand` for members whose removal an admin refused. The list contains them
 * again, so a later removal applies to them.
 */
async function updateMembers(tx: Tx, { id }: RosterRow, members: readonly ListedMember[]): Promise<void> {
  if (members.length === 0) return
  await updateListedMembers(tx, members, id)
}

/** Restores the access of returning members to their machine, unless the machine was deleted or handed over. */
async function restoreAccess(tx: Tx, roster: RosterRow, members: readonly ListedMember[]): Promise<void> {
  const ids = members.map(({ externalId }) => externalId)
  const { rows } = await selectMachinesOfRestored(tx, roster.id, ids)
  const usable = rows.filter((row) => row.usable).map(({ machine_id }) => machine_id)
  await lockMachines(tx, usable)
  await endWithholding(tx, usable)
  await machinesChanged(tx, usable)
  const unusable = rows.filter((row) => !row.usable).map(({ machine_id }) => machine_id)
  await forgetMachines(tx, roster.id, unusable)
}

/** Schedules the order of missing machines, if the rule is `on_joining`. */
export async function requestMachines(tx: Tx, { id, machine_rule }: RosterRow): Promise<void> {
  if (machine_rule !== 'on_joining') return
  await makeMachinesDue(tx, id)
}

/**
 * Removes members. They lose access immediately. Their machine stays stopped until it is deleted. Machines that an
 * admin ordered separately or handed over do not change.
 */
export async function removeMembers(tx: Tx, roster: RosterRow, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return
  const ids = [...externalIds]
  await markLeft(tx, roster.id, ids)
  // A person who is listed under two IDs keeps the machine while one of the IDs is listed.
  const { rows } = await selectMachinesToWithhold(tx, roster.id, ids)
  const machines = rows.map(({ machine_id }) => machine_id)
  if (machines.length === 0) return
  await setDesiredPower(tx, machines, 'stopped')
  await withholdMachines(tx, machines)
  await machinesChanged(tx, machines)
  await emit(tx, accessEnded, machines)
  await scheduleDeletions(tx, roster.grace_days, roster.id, machines)
}
