import { sql } from 'kysely'
import type {
  RosterId,
  OrganisationId,
  TrainingId,
  MachineId,
  TemplateId,
  OrderId,
  UserId,
} from '@trainyard/platform/contract/words/ids.ts'
import { ROSTER } from '../contract/training-roster.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { ListedMember } from './compare.ts'

/** SQL: the members as rows of the table expression `given`. */
const rowsOf = (members: readonly ListedMember[]) => sql`unnest(${members.map((m) => m.externalId)}::text[],
  ${members.map((m) => m.email)}::text[], ${members.map((m) => m.name)}::text[], ${members.map((m) => m.role)}::text[])
  as given (external_id, email, name, role)`

/**
 * SQL: true if the machine `m` still belongs to the member `r` and was not handed over. The two addresses differ if the
 * member's address changed to an address of no user of the organisation.
 */
const IS_OF_MEMBER = sql`m.email in (r.email, m.ordered_for)`

/** A member whose machine must be ordered. */
export interface DueMember {
  readonly external_id: string
  readonly email: string
  readonly name: string | null
  readonly has_machine: boolean
}

/** Maximum number of machines ordered in one transaction, so that a large roster does not block other orders. */
export const BATCH = 100

/** Minutes until a refused order is retried. */
const RETRY_MINUTES = 15

/** SQL: true for missing members about whose removal an admin must decide. */
export const isPending = sql<boolean>`not listed and left_at is null and not by_hand`

/** Maximum number of members in one reply. */
const SHOWN_MAX = 5_000

export const markUnlisted = (tx: Tx, id: RosterId, absent: readonly string[]) =>
  sql`
    update roster_member set listed = false
    where roster_id = ${id} and listed and external_id = any(${absent}::text[])`.execute(tx)

export const makeMachineDue = (tx: Tx, id: RosterId, externalId: string) =>
  sql`
    update roster_member m set machine_due_at = portal_now()
    from roster r where r.id = m.roster_id and r.id = ${id} and r.machine_rule = 'on_first_launch'
      and m.external_id = ${externalId} and m.role = 'learner' and m.left_at is null and m.listed
      and m.machine_id is null and m.machine_due_at is null and not m.by_hand`.execute(tx)

export const upsertMembers = (
  tx: Tx,
  roster: RosterId,
  organisation: OrganisationId,
  members: readonly ListedMember[],
  training: TrainingId,
) =>
  sql`
    insert into roster_member (roster_id, organisation_id, external_id, email, name, role, listed, by_hand, problem)
    select ${roster}, ${organisation}, given.external_id, given.email, given.name, given.role, true,
      hand.machine or hand.instructor, null
    from ${rowsOf(members)}
    cross join lateral (select
      exists (select from machine m where m.training_id = ${training} and m.email = given.email
        and m.terminated_at is null and m.desired <> 'gone'
        and not exists (select from roster_member other where other.machine_id = m.id)) as machine,
      exists (select from training_instructor i join portal_user u on u.id = i.user_id
        where i.training_id = ${training} and u.email = given.email) as instructor) as hand`.execute(tx)

export const selectReassignedMachines = (
  tx: Tx,
  members: readonly ListedMember[],
  id: RosterId,
  organisation: OrganisationId,
) =>
  sql<{ machine_id: MachineId; email: string }>`
    select r.machine_id, given.email from ${rowsOf(members)}
    join roster_member r on r.roster_id = ${id} and r.external_id = given.external_id and r.email <> given.email
    join machine m on m.id = r.machine_id and m.email in (r.email, m.ordered_for) and m.terminated_at is null
    join portal_user u on u.email = given.email and u.organisation_id = ${organisation}`.execute(tx)

export const updateOwners = (tx: Tx, rows: { machine_id: MachineId; email: string }[]) =>
  sql`
    update machine set email = moved.email
    from unnest(${rows.map(({ machine_id }) => machine_id)}::uuid[], ${rows.map(({ email }) => email)}::text[])
      as moved (id, email) where machine.id = moved.id`.execute(tx)

export const updateListedMembers = (tx: Tx, members: readonly ListedMember[], id: RosterId) =>
  sql`
    update roster_member m set email = given.email, name = given.name, role = given.role, listed = true,
      by_hand = m.by_hand and m.listed, left_at = null, delete_at = null, problem = null,
      joined_at = case when m.left_at is null then m.joined_at else portal_now() end
    from ${rowsOf(members)} where m.roster_id = ${id} and m.external_id = given.external_id`.execute(tx)

export const selectMachinesOfRestored = (tx: Tx, roster: RosterId, ids: readonly string[]) =>
  sql<{ machine_id: MachineId; usable: boolean }>`
    select r.machine_id, m.terminated_at is null and m.desired <> 'gone' and ${IS_OF_MEMBER} as usable
    from roster_member r join machine m on m.id = r.machine_id
    where r.roster_id = ${roster} and r.external_id = any(${ids}::text[])`.execute(tx)

export const endWithholding = (tx: Tx, usable: readonly MachineId[]) =>
  sql`update machine set withheld_at = null where id = any(${usable}::uuid[])`.execute(tx)

export const forgetMachines = (tx: Tx, roster: RosterId, unusable: readonly MachineId[]) =>
  sql`
    update roster_member set machine_id = null
    where roster_id = ${roster} and machine_id = any(${unusable}::uuid[])`.execute(tx)

export const makeMachinesDue = (tx: Tx, id: RosterId) =>
  sql`
    update roster_member set machine_due_at = portal_now(), problem = null
    where roster_id = ${id} and role = 'learner' and listed and left_at is null and machine_id is null
      and machine_due_at is null and not by_hand`.execute(tx)

export const markLeft = (tx: Tx, roster: RosterId, ids: readonly string[]) =>
  sql`
    update roster_member set left_at = portal_now(), listed = false, machine_due_at = null, problem = null
    where roster_id = ${roster} and external_id = any(${ids}::text[])`.execute(tx)

export const selectMachinesToWithhold = (tx: Tx, roster: RosterId, ids: readonly string[]) =>
  sql<{ machine_id: MachineId }>`
    select r.machine_id from roster_member r join machine m on m.id = r.machine_id and ${IS_OF_MEMBER}
    where r.roster_id = ${roster} and r.external_id = any(${ids}::text[])
      and m.terminated_at is null and m.desired <> 'gone'
      and not exists (select from roster_member other where other.roster_id = r.roster_id and other.email = r.email
        and other.left_at is null)
    order by r.machine_id`.execute(tx)

export const withholdMachines = (tx: Tx, machines: readonly MachineId[]) =>
  sql`update machine set withheld_at = portal_now() where id = any(${machines}::uuid[])`.execute(tx)

export const scheduleDeletions = (tx: Tx, graceDays: number, roster: RosterId, machines: readonly MachineId[]) =>
  sql`
    update roster_member set delete_at = portal_now() + make_interval(days => ${graceDays})
    where roster_id = ${roster} and machine_id = any(${machines}::uuid[])`.execute(tx)

export const selectDueRosters = (db: Db) =>
  sql<{ roster_id: RosterId }>`
    select distinct roster_id from roster_member
    where machine_due_at <= portal_now() or delete_at <= portal_now() order by roster_id`.execute(db)

export const lockRosterIfFree = (tx: Tx, id: RosterId) =>
  sql`select from roster where id = ${id} for update skip locked`.execute(tx)

export const selectMachinesToDelete = (tx: Tx, roster: RosterId) =>
  sql<{ machine_id: MachineId; withheld: boolean }>`
    select r.machine_id, m.withheld_at is not null as withheld
    from roster_member r join machine m on m.id = r.machine_id
    where r.roster_id = ${roster} and r.delete_at <= portal_now() order by r.machine_id limit 1000`.execute(tx)

export const forgetDeletedMachines = (tx: Tx, roster: RosterId, rows: readonly MachineId[]) =>
  sql`
    update roster_member set delete_at = null, machine_id = null
    where roster_id = ${roster} and machine_id = any(${rows}::uuid[])`.execute(tx)

export const selectDueMembers = (tx: Tx, training: TrainingId, roster: RosterId) =>
  sql<DueMember>`
    select r.external_id, r.email, r.name, exists (
      select from machine m where m.training_id = ${training} and m.email = r.email
        and m.terminated_at is null and m.desired <> 'gone') as has_machine
    from roster_member r where r.roster_id = ${roster} and r.machine_due_at <= portal_now()
    order by r.machine_due_at, r.external_id limit ${BATCH}`.execute(tx)

export const markHasMachine = (tx: Tx, roster: RosterId, due: readonly string[]) =>
  sql`
    update roster_member set machine_due_at = null, by_hand = true, problem = ${ROSTER.hasMachine}
    where roster_id = ${roster} and external_id = any(${due}::text[])`.execute(tx)

export const countTakenSeats = (tx: Tx, roster: RosterId) =>
  sql<{ taken: number }>`
    select count(*)::int as taken from roster_member
    where roster_id = ${roster} and machine_id is not null and left_at is null`.execute(tx)

export const selectOrderNames = (tx: Tx, template: TemplateId | null, training: TrainingId) =>
  sql<{ template: string | null; training: string; removed: boolean }>`
    select t.name as template, training.name as training, training.removed_at is not null as removed
    from training left join template t on t.id = ${template} where training.id = ${training}`.execute(tx)

export const setSavepoint = (tx: Tx) => sql`savepoint roster_order`.execute(tx)

export const assignMachines = (tx: Tx, order: OrderId, roster: RosterId, members: readonly string[]) =>
  sql`
    update roster_member r set machine_id = m.id, machine_due_at = null, problem = null
    from machine m where m.order_id = ${order} and m.email = r.email and r.roster_id = ${roster}
      and r.external_id = any(${members}::text[])`.execute(tx)

export const releaseSavepoint = (tx: Tx) => sql`release savepoint roster_order`.execute(tx)

export const rollBackToSavepoint = (tx: Tx) => sql`rollback to savepoint roster_order`.execute(tx)

export const postponeMachines = (tx: Tx, problem: string, id: RosterId, emails: readonly string[]) =>
  sql`
    update roster_member set problem = ${problem},
      machine_due_at = portal_now() + make_interval(mins => ${RETRY_MINUTES})
    where roster_id = ${id} and machine_due_at <= portal_now() and email = any(${emails}::text[])`.execute(tx)

export const applyMachineRule = (tx: Tx, machineRule: string, saved: RosterId) =>
  sql`
    update roster_member set machine_due_at = case when ${machineRule} <> 'none' then portal_now() end,
      problem = case when ${machineRule} <> 'none' then problem end
    where roster_id = ${saved} and machine_due_at is not null`.execute(tx)

export const endWithholdingOfRoster = (tx: Tx, before: RosterId) =>
  sql<{ id: MachineId }>`
    update machine set withheld_at = null
    where id in (select machine_id from roster_member where roster_id = ${before} and delete_at is null) returning id`.execute(
    tx,
  )

export const markByHand = (tx: Tx, row: RosterId, ids: readonly string[]) =>
  sql`
    update roster_member set by_hand = true
    where roster_id = ${row} and external_id = any(${ids}::text[])`.execute(tx)

export const countScheduledDeletions = (tx: Tx, id: RosterId) =>
  sql<{ machines: number }>`
    select count(*)::int as machines from roster_member r join machine m on m.id = r.machine_id
    where r.roster_id = ${id} and r.delete_at is not null
      and m.withheld_at is not null and m.terminated_at is null and m.desired <> 'gone'`.execute(tx)

export const selectRosterMembers = (db: Db, row: RosterId) =>
  sql<{
    email: string
    name: string | null
    role: 'learner' | 'instructor'
    joined_at: Date
    left_at: Date | null
    machine: string | null
    delete_at: Date | null
    by_hand: boolean
    problem: string | null
    pending: boolean
  }>`
    select r.email, r.name, r.role, r.joined_at, r.left_at, m.name as machine, r.delete_at, r.by_hand, r.problem,
      (${isPending}) as pending
    from roster_member r left join machine m on m.id = r.machine_id
    where r.roster_id = ${row}
    order by pending desc, r.left_at is not null, r.email, r.external_id limit ${SHOWN_MAX}`.execute(db)

/** Returns the users whom the roster made instructors and no longer lists as such. */
export const markEndedInstructors = (tx: Tx, roster: RosterId) =>
  sql<{ user: UserId }>`
    with ended as (
      update roster_member m set instructor_given = false
      where roster_id = ${roster} and instructor_given and (role <> 'instructor' or left_at is not null)
      returning email)
    select id as "user" from portal_user u
    where email in (select email from ended) and not exists (select from roster_member other
      where other.roster_id = ${roster} and other.email = u.email and other.role = 'instructor'
        and other.left_at is null)`.execute(tx)

export const selectMissingInstructors = (tx: Tx, roster: RosterId) =>
  sql<{ email: string; name: string | null }>`
    select distinct on (m.email) m.email, m.name from roster_member m
    where m.roster_id = ${roster} and m.role = 'instructor' and m.left_at is null and not m.instructor_given
      and not m.by_hand and not exists (
        select from portal_user u where u.email = m.email and u.role <> 'user')
    order by m.email`.execute(tx)

export const insertInstructors = (
  tx: Tx,
  input: {
    readonly training: TrainingId
    readonly organisation: OrganisationId
    readonly madeBy: string
    readonly addable: readonly string[]
    readonly roster: RosterId
  },
) =>
  sql`
    with given as (
      insert into training_instructor (training_id, organisation_id, user_id, added_by)
      select ${input.training}, ${input.organisation}, u.id, ${input.madeBy}
      from portal_user u where u.email = any(${input.addable}::text[]) and u.role = 'user'
        and u.organisation_id = ${input.organisation}
      on conflict do nothing returning user_id)
    update roster_member m set instructor_given = true, problem = null
    from given join portal_user u on u.id = given.user_id
    where m.roster_id = ${input.roster} and m.email = u.email and m.role = 'instructor'`.execute(tx)

export const updateProblems = (
  tx: Tx,
  refused: { readonly email: string; readonly problem: string }[],
  roster: RosterId,
) =>
  sql`
    update roster_member m set problem = r.problem
    from unnest(${refused.map(({ email }) => email)}::text[], ${refused.map(({ problem }) => problem)}::text[])
      as r (email, problem)
    where m.roster_id = ${roster} and m.email = r.email`.execute(tx)

export const updateMemberEmail = (tx: Tx, to: string, organisation: OrganisationId, from: string) =>
  sql`
    update roster_member set email = ${to} where organisation_id = ${organisation} and email = ${from}`.execute(tx)
