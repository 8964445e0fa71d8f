import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MachineId, OrganisationId, RosterId } from '@trainyard/contract/words/ids.ts'
import { ROSTER_MEMBERS_MAX, type RosterKind } from '@trainyard/contract/words/training-roster.ts'
import { writeAudit } from '../../../core/audit.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { RosterRow } from '../../../db/tables/rosters.gen.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { setDesiredPower } from '../machine/desired-power.ts'
import { lockMachines } from '../machine/record.ts'
import { revokeUnusedTickets } from '../machine/revoke-tickets.ts'
import { compareRoster, type ListedMember } from './compare.ts'
import { applyInstructors } from './instructors.ts'

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
  await sql`
    update roster_member set listed = false
    where roster_id = ${id} and listed and external_id = any(${[...absent]}::text[])`.execute(tx)
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
  await sql`
    update roster_member m set machine_due_at = portal_now()
    from roster r where r.id = m.roster_id and r.id = ${id} and r.machine_rule = 'on_first_launch'
      and m.external_id = ${externalId} and m.role = 'learner' and m.left_at is null and m.listed
      and m.machine_id is null and m.machine_due_at is null and not m.by_hand`.execute(tx)
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

/** SQL: the members as rows of the table expression `given`. */
const rowsOf = (members: readonly ListedMember[]) => sql`unnest(${members.map((m) => m.externalId)}::text[],
  ${members.map((m) => m.email)}::text[], ${members.map((m) => m.name)}::text[], ${members.map((m) => m.role)}::text[])
  as given (external_id, email, name, role)`

/**
 * Inserts members. Members who already have a machine in the training, or are its instructors, are marked as manually
 * added (`by_hand`), so that the roster never removes them.
 */
async function insertMembers(tx: Tx, roster: RosterRow, members: readonly ListedMember[]): Promise<void> {
  if (members.length === 0) return
  await sql`
    insert into roster_member (roster_id, organisation_id, external_id, email, name, role, listed, by_hand, problem)
    select ${roster.id}, ${roster.organisation_id}, given.external_id, given.email, given.name, given.role, true,
      hand.machine or hand.instructor, null
    from ${rowsOf(members)}
    cross join lateral (select
      exists (select from machine m where m.training_id = ${roster.training_id} and m.email = given.email
        and m.terminated_at is null and m.desired <> 'gone'
        and not exists (select from roster_member other where other.machine_id = m.id)) as machine,
      exists (select from training_instructor i join portal_user u on u.id = i.user_id
        where i.training_id = ${roster.training_id} and u.email = given.email) as instructor) as hand`.execute(tx)
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
  const { rows } = await sql<{ machine_id: MachineId; email: string }>`
    select r.machine_id, given.email from ${rowsOf(members)}
    join roster_member r on r.roster_id = ${id} and r.external_id = given.external_id and r.email <> given.email
    join machine m on m.id = r.machine_id and m.email in (r.email, m.ordered_for) and m.terminated_at is null
    join portal_user u on u.email = given.email and u.organisation_id = ${organisation_id}`.execute(tx)
  if (rows.length === 0) return
  await lockMachines(
    tx,
    rows.map(({ machine_id }) => machine_id),
  )
  await sql`
    update machine set email = moved.email
    from unnest(${rows.map(({ machine_id }) => machine_id)}::uuid[], ${rows.map(({ email }) => email)}::text[])
      as moved (id, email) where machine.id = moved.id`.execute(tx)
}

/**
 * SQL: true if the machine `m` still belongs to the member `r` and was not handed over. The two addresses differ if the
 * member's address changed to an address of no user of the organisation.
 */
const IS_OF_MEMBER = sql`m.email in (r.email, m.ordered_for)`

/**
 * Updates members that are listed. Resets `by_hand` for members whose removal an admin refused. The list contains them
 * again, so a later removal applies to them.
 */
async function updateMembers(tx: Tx, { id }: RosterRow, members: readonly ListedMember[]): Promise<void> {
  if (members.length === 0) return
  await sql`
    update roster_member m set email = given.email, name = given.name, role = given.role, listed = true,
      by_hand = m.by_hand and m.listed, left_at = null, delete_at = null, problem = null,
      joined_at = case when m.left_at is null then m.joined_at else portal_now() end
    from ${rowsOf(members)} where m.roster_id = ${id} and m.external_id = given.external_id`.execute(tx)
}

/** Restores the access of returning members to their machine, unless the machine was deleted or handed over. */
async function restoreAccess(tx: Tx, roster: RosterRow, members: readonly ListedMember[]): Promise<void> {
  const ids = members.map(({ externalId }) => externalId)
  const { rows } = await sql<{ machine_id: MachineId; usable: boolean }>`
    select r.machine_id, m.terminated_at is null and m.desired <> 'gone' and ${IS_OF_MEMBER} as usable
    from roster_member r join machine m on m.id = r.machine_id
    where r.roster_id = ${roster.id} and r.external_id = any(${ids}::text[])`.execute(tx)
  const usable = rows.filter((row) => row.usable).map(({ machine_id }) => machine_id)
  await lockMachines(tx, usable)
  await sql`update machine set withheld_at = null where id = any(${usable}::uuid[])`.execute(tx)
  const unusable = rows.filter((row) => !row.usable).map(({ machine_id }) => machine_id)
  await sql`
    update roster_member set machine_id = null
    where roster_id = ${roster.id} and machine_id = any(${unusable}::uuid[])`.execute(tx)
}

/** Schedules the order of missing machines, if the rule is `on_joining`. */
export async function requestMachines(tx: Tx, { id, machine_rule }: RosterRow): Promise<void> {
  if (machine_rule !== 'on_joining') return
  await sql`
    update roster_member set machine_due_at = portal_now(), problem = null
    where roster_id = ${id} and role = 'learner' and listed and left_at is null and machine_id is null
      and machine_due_at is null and not by_hand`.execute(tx)
}

/**
 * Removes members. They lose access immediately. Their machine stays stopped until it is deleted. Machines that an
 * admin ordered separately or handed over do not change.
 */
export async function removeMembers(tx: Tx, roster: RosterRow, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return
  const ids = [...externalIds]
  await sql`
    update roster_member set left_at = portal_now(), listed = false, machine_due_at = null, problem = null
    where roster_id = ${roster.id} and external_id = any(${ids}::text[])`.execute(tx)
  // A person who is listed under two IDs keeps the machine while one of the IDs is listed.
  const { rows } = await sql<{ machine_id: MachineId }>`
    select r.machine_id from roster_member r join machine m on m.id = r.machine_id and ${IS_OF_MEMBER}
    where r.roster_id = ${roster.id} and r.external_id = any(${ids}::text[])
      and m.terminated_at is null and m.desired <> 'gone'
      and not exists (select from roster_member other where other.roster_id = r.roster_id and other.email = r.email
        and other.left_at is null)
    order by r.machine_id`.execute(tx)
  const machines = rows.map(({ machine_id }) => machine_id)
  if (machines.length === 0) return
  await setDesiredPower(tx, machines, 'stopped')
  await sql`update machine set withheld_at = portal_now() where id = any(${machines}::uuid[])`.execute(tx)
  await revokeUnusedTickets(tx, machines)
  await sql`
    update roster_member set delete_at = portal_now() + make_interval(days => ${roster.grace_days})
    where roster_id = ${roster.id} and machine_id = any(${machines}::uuid[])`.execute(tx)
}
