import { sql } from 'kysely'
import type { MachineId, RosterId, UserId } from '@trainyard/contract/words/ids.ts'
import { ROSTER } from '@trainyard/contract/words/training-roster.ts'
import { newName } from '@trainyard/contract/calls/shapes.ts'
import type { Actor } from '../../../core/actor.ts'
import { Problem } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { RosterRow } from '../../../db/tables/rosters.gen.ts'
import { addableEmails } from '../../people/user/domain-owner.ts'
import { setDesiredPower } from '../machine/desired-power.ts'
import { orderMachines, type OrderDependencies } from '../order/order.ts'
import { auditRoster, lockRoster } from './apply.ts'

/** Maximum number of machines ordered in one transaction, so that a large roster does not block other orders. */
const BATCH = 100
/** Minutes until a refused order is retried. */
const RETRY_MINUTES = 15

const FIRST_DUE = sql`(select true from roster_member where machine_due_at <= portal_now()
  order by machine_due_at limit 1)`
const FIRST_DELETION = sql`(select true from roster_member where delete_at <= portal_now() order by delete_at limit 1)`

/** SQL: true if a machine of a roster must be ordered or deleted. */
export const ROSTER_DUE = sql<boolean>`coalesce(${FIRST_DUE}, ${FIRST_DELETION})`

/** Orders the machines of members who need a machine, and deletes the machines whose grace period has ended. */
export async function processDueMachines(db: Db, parts: OrderDependencies, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ roster_id: RosterId }>`
    select distinct roster_id from roster_member
    where machine_due_at <= portal_now() or delete_at <= portal_now() order by roster_id`.execute(db)
  for (const { roster_id } of rows) {
    let more = true
    while (more && !signal.aborted) {
      more = await db.transaction().execute((tx) => processRoster(tx, roster_id, parts))
    }
  }
}

/**
 * Orders and deletes due machines of one roster, unless another worker has locked the roster. Returns true if more
 * machines are due.
 */
async function processRoster(tx: Tx, id: RosterId, parts: OrderDependencies): Promise<boolean> {
  const { rows } = await sql`select from roster where id = ${id} for update skip locked`.execute(tx)
  const roster = rows.length === 0 ? null : await lockRoster(tx, id)
  if (roster === null) return false
  await deleteMachines(tx, roster)
  return orderDue(tx, roster, parts)
}

async function deleteMachines(tx: Tx, roster: RosterRow): Promise<void> {
  const { rows } = await sql<{ machine_id: MachineId; withheld: boolean }>`
    select r.machine_id, m.withheld_at is not null as withheld
    from roster_member r join machine m on m.id = r.machine_id
    where r.roster_id = ${roster.id} and r.delete_at <= portal_now() order by r.machine_id limit 1000`.execute(tx)
  // Only machines that are still withheld are deleted. A hand-over clears `withheld_at`, because the machine then
  // belongs to another learner.
  const withheld = rows.filter((row) => row.withheld).map(({ machine_id }) => machine_id)
  await setDesiredPower(tx, withheld, 'gone')
  await sql`
    update roster_member set delete_at = null, machine_id = null
    where roster_id = ${roster.id} and machine_id = any(${rows.map(({ machine_id }) => machine_id)}::uuid[])`.execute(
    tx,
  )
}

/** A member whose machine must be ordered. */
interface DueMember {
  readonly external_id: string
  readonly email: string
  readonly name: string | null
  readonly has_machine: boolean
}

async function orderDue(tx: Tx, roster: RosterRow, parts: OrderDependencies): Promise<boolean> {
  const { rows: due } = await sql<DueMember>`
    select r.external_id, r.email, r.name, exists (
      select from machine m where m.training_id = ${roster.training_id} and m.email = r.email
        and m.terminated_at is null and m.desired <> 'gone') as has_machine
    from roster_member r where r.roster_id = ${roster.id} and r.machine_due_at <= portal_now()
    order by r.machine_due_at, r.external_id limit ${BATCH}`.execute(tx)
  if (due.length === 0) return false
  await sql`
    update roster_member set machine_due_at = null, by_hand = true, problem = ${ROSTER.hasMachine}
    where roster_id = ${roster.id} and external_id = any(${due.filter((m) => m.has_machine).map((m) => m.external_id)}::text[])`.execute(
    tx,
  )
  const waiting = due.filter((member) => !member.has_machine)
  const { addable, refused } = await addableEmails(tx, roster.organisation_id, [
    ...new Set(waiting.map(({ email }) => email)),
  ])
  for (const { email, problem } of refused) await postpone(tx, roster, [email], problem)
  const withSeat = new Set(addable.slice(0, await freeSeats(tx, roster)))
  await postpone(
    tx,
    roster,
    addable.filter((email) => !withSeat.has(email)),
    ROSTER.full(roster.seats ?? 0),
  )
  const members = new Map(waiting.filter(({ email }) => withSeat.has(email)).map((member) => [member.email, member]))
  await orderAsManyAsFit(tx, roster, [...members.values()], parts)
  return due.length === BATCH
}

async function freeSeats(tx: Tx, roster: RosterRow): Promise<number> {
  if (roster.seats === null) return Infinity
  const { rows } = await sql<{ taken: number }>`
    select count(*)::int as taken from roster_member
    where roster_id = ${roster.id} and machine_id is not null and left_at is null`.execute(tx)
  return Math.max(0, roster.seats - rows[0]!.taken)
}

/**
 * Orders machines for as many of the members as possible. If the cloud or a budget refuses the order, halves the number
 * of members and tries again. Stores the reason with the remaining members and retries them later.
 */
async function orderAsManyAsFit(
  tx: Tx,
  roster: RosterRow,
  members: readonly DueMember[],
  parts: OrderDependencies,
): Promise<void> {
  let count = members.length
  let refusal: string | null = null
  while (count > 0) {
    refusal = await tryOrder(tx, roster, members.slice(0, count), parts)
    if (refusal === null) break
    await postpone(
      tx,
      roster,
      members.slice(Math.floor(count / 2), count).map(({ email }) => email),
      refusal,
    )
    count = Math.floor(count / 2)
  }
}

/** Orders the machines and returns null. If the order is refused, rolls back to a savepoint and returns the reason. */
async function tryOrder(
  tx: Tx,
  roster: RosterRow,
  members: readonly DueMember[],
  parts: OrderDependencies,
): Promise<string | null> {
  const { rows } = await sql<{ template: string | null; training: string; removed: boolean }>`
    select t.name as template, training.name as training, training.removed_at is not null as removed
    from training left join template t on t.id = ${roster.template_id} where training.id = ${roster.training_id}`.execute(
    tx,
  )
  const { template, training, removed } = rows[0]!
  if (template === null) return ROSTER.noTemplate
  // The training was removed. An order would restore it.
  if (removed) return 'The training was removed.'
  await sql`savepoint roster_order`.execute(tx)
  try {
    const emails = members.map(({ email }) => email)
    const { order } = await orderMachines(
      tx,
      await actorOf(tx, roster),
      {
        templateName: template,
        email: emails,
        trainingName: training,
        allocatedHours: roster.allotted_minutes,
        createVmCount: emails.length,
        guacamole: roster.guacamole,
        names: members.flatMap(({ email, name }) => {
          const valid = newName.safeParse(name)
          return valid.success ? [{ email, name: valid.data }] : []
        }),
      },
      parts,
    )
    await sql`
      update roster_member r set machine_id = m.id, machine_due_at = null, problem = null
      from machine m where m.order_id = ${order} and m.email = r.email and r.roster_id = ${roster.id}
        and r.external_id = any(${members.map(({ external_id }) => external_id)}::text[])`.execute(tx)
    await auditRoster(tx, 'roster.order', roster, { template, learners: emails })
    await sql`release savepoint roster_order`.execute(tx)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint roster_order`.execute(tx)
    return error.message
  }
}

/** Returns the actor of the order: an admin of the organisation with the e-mail of the user who created the roster. */
async function actorOf(tx: Tx, { organisation_id, made_by }: RosterRow): Promise<Actor> {
  const organisation = await tx
    .selectFrom('organisation')
    .select(['id', 'name', 'time_zone as timeZone', 'logo'])
    .where('id', '=', organisation_id)
    .executeTakeFirstOrThrow()
  return { id: NO_USER, email: made_by, role: 'admin', organisation }
}

const NO_USER = '00000000-0000-0000-0000-000000000000' as UserId

/** Stores the refusal in the rows of the due members and schedules the next attempt. */
const postpone = async (tx: Tx, { id }: RosterRow, emails: readonly string[], problem: string): Promise<void> => {
  await sql`
    update roster_member set problem = ${problem},
      machine_due_at = portal_now() + make_interval(mins => ${RETRY_MINUTES})
    where roster_id = ${id} and machine_due_at <= portal_now() and email = any(${[...emails]}::text[])`.execute(tx)
}
