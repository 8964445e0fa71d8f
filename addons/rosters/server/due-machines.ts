import { sql } from 'kysely'
import type { RosterId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { ROSTER } from '../contract/training-roster.ts'
import { newName } from '@trainyard/platform/contract/shapes.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RosterRow } from '../tables.gen.ts'
import { addableEmails } from '@trainyard/users/server/domain-owner.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { orderMachines, type OrderDependencies } from '@trainyard/machines/server/order/order.ts'
import { auditRoster, lockRoster } from './apply.ts'
import {
  selectDueRosters,
  lockRosterIfFree,
  selectMachinesToDelete,
  forgetDeletedMachines,
  selectDueMembers,
  markHasMachine,
  countTakenSeats,
  selectOrderNames,
  setSavepoint,
  assignMachines,
  releaseSavepoint,
  rollBackToSavepoint,
  postponeMachines,
  type DueMember,
  BATCH,
} from './queries.ts'

const FIRST_DUE = sql`(select true from roster_member where machine_due_at <= portal_now()
  order by machine_due_at limit 1)`
const FIRST_DELETION = sql`(select true from roster_member where delete_at <= portal_now() order by delete_at limit 1)`

/** SQL: true if a machine of a roster must be ordered or deleted. */
export const ROSTER_DUE = sql<boolean>`coalesce(${FIRST_DUE}, ${FIRST_DELETION})`

/** Orders the machines of members who need a machine, and deletes the machines whose grace period has ended. */
export async function processDueMachines(db: Db, parts: OrderDependencies, signal: AbortSignal): Promise<void> {
  const { rows } = await selectDueRosters(db)
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
  const { rows } = await lockRosterIfFree(tx, id)
  const roster = rows.length === 0 ? null : await lockRoster(tx, id)
  if (roster === null) return false
  await deleteMachines(tx, roster)
  return orderDue(tx, roster, parts)
}

async function deleteMachines(tx: Tx, roster: RosterRow): Promise<void> {
  const { rows } = await selectMachinesToDelete(tx, roster.id)
  // Only machines that are still withheld are deleted. A hand-over clears `withheld_at`, because the machine then
  // belongs to another learner.
  const withheld = rows.filter((row) => row.withheld).map(({ machine_id }) => machine_id)
  await setDesiredPower(tx, withheld, 'gone')
  await forgetDeletedMachines(
    tx,
    roster.id,
    rows.map(({ machine_id }) => machine_id),
  )
}

async function orderDue(tx: Tx, roster: RosterRow, parts: OrderDependencies): Promise<boolean> {
  const { rows: due } = await selectDueMembers(tx, roster.training_id, roster.id)
  if (due.length === 0) return false
  await markHasMachine(
    tx,
    roster.id,
    due.filter((m) => m.has_machine).map((m) => m.external_id),
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
  const { rows } = await countTakenSeats(tx, roster.id)
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
  const { rows } = await selectOrderNames(tx, roster.template_id, roster.training_id)
  const { template, training, removed } = rows[0]!
  if (template === null) return ROSTER.noTemplate
  // The training was removed. An order would restore it.
  if (removed) return 'The training was removed.'
  await setSavepoint(tx)
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
    await assignMachines(
      tx,
      order,
      roster.id,
      members.map(({ external_id }) => external_id),
    )
    await auditRoster(tx, 'roster.order', roster, { template, learners: emails })
    await releaseSavepoint(tx)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await rollBackToSavepoint(tx)
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
  await postponeMachines(tx, problem, id, [...emails])
}
