import { job, EMAILS } from '@trainyard/platform/server/run/jobs/job.ts'
import { sql } from 'kysely'
import type { RegistrationLinkId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { LINK_QUEUE_MAX, REGISTRATION } from '../contract/registration-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem, signedOut } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { orderMachines, type OrderDependencies } from '@trainyard/machines/server/order/order.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { type Link, linkByCode, linkWithId, lockLink } from './link.ts'
import {
  selectRegistration,
  selectFreeSeats,
  selectEmailsWithMachine,
  lockUsersOfLink,
  selectChosen,
  seatUsers,
  selectPromotableLinks,
  selectFirstWaiting,
  lockIfPromotable,
  type Registration,
  type Chosen,
  PROMOTABLE,
} from './queries.ts'
import { tellState } from './tell.ts'

export const registrationDecided = job<{ readonly link: RegistrationLinkId; readonly user: UserId }>(
  'registration.decided',
  EMAILS,
)

/** Input of a user who opens a registration link. */
interface Visit {
  readonly name?: string | undefined
  readonly isPseudonym?: boolean | undefined
  readonly wait?: boolean | undefined
}

export const messageOf = ({ state, place }: Registration): string =>
  state === 'waiting' ? REGISTRATION.waiting(place ?? 1) : REGISTRATION[state]

/** @throws Problem forbidden if the link belongs to another organisation or does not allow the user's e-mail domain */
export function refuseForeigner(link: Link, { email, organisation }: Actor): void {
  if (organisation?.id !== link.organisation_id) {
    throw new Problem('forbidden', REGISTRATION.otherOrganisation(email))
  }
  refuseOtherDomain(link, email)
}

/** @throws Problem forbidden if the link does not allow the domain of the address */
export function refuseOtherDomain(link: Link, email: string): void {
  if (!allowsDomain(link, email)) throw new Problem('forbidden', REGISTRATION.otherDomain(email, link.domains))
}

const allowsDomain = ({ domains }: Link, email: string): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))

export async function registrationOf(
  db: Db | Tx,
  link: RegistrationLinkId,
  user: UserId,
): Promise<Registration | null> {
  const { rows } = await selectRegistration(db, link, user)
  return rows[0] ?? null
}

/**
 * Throws unless the link accepts registrations.
 * @param wait true if the user agrees to be put on the waiting list
 * @throws Problem conflict whose message says what the user can do
 */
export function refuseClosed({ state }: Link, wait: boolean): void {
  if (state === 'open' || (wait && (state === 'full' || state === 'closed'))) return
  throw state === 'revoked' ? new Problem('notFound', REGISTRATION.notValid) : conflict(REGISTRATION[state])
}

/**
 * Registers the user with a link. The link is locked, so that only one transaction at a time assigns its seats. The
 * machine is ordered in the same transaction. Returns the existing registration if there is one.
 * @throws Problem conflict if there is no free seat; notFound, forbidden
 */
export async function takeSeat(
  tx: Tx,
  actor: Actor,
  code: string,
  visit: Visit,
  parts: OrderDependencies,
): Promise<{ readonly link: Link; readonly registration: Registration; readonly isNew: boolean }> {
  const user = await tx
    .selectFrom('portal_user')
    .select(['name', 'deactivated_at'])
    .where('id', '=', actor.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user === undefined || user.deactivated_at !== null) throw signedOut()
  await lockLink(tx, (await linkByCode(tx, code)).id)
  // The code may have been rotated or revoked before the link was locked.
  const link = await linkByCode(tx, code)
  refuseForeigner(link, actor)
  const existing = await registrationOf(tx, link.id, actor.id)
  if (existing !== null) return { link, registration: existing, isNew: false }
  refuseClosed(link, visit.wait === true)
  await storeName(tx, actor.id, user.name, link, visit)
  const state = link.state !== 'open' ? 'waiting' : link.needs_approval ? 'pending' : 'seated'
  if (state !== 'seated' && link.pending + link.waiting >= LINK_QUEUE_MAX) {
    throw conflict('The waiting list is full. Ask the instructor of the training.')
  }
  await tx
    .insertInto('registration')
    .values({
      link_id: link.id,
      organisation_id: link.organisation_id,
      user_id: actor.id,
      state,
      seat: state === 'seated' ? await freeSeat(tx, link, actor.id) : null,
      link_seats: link.seats,
      is_pseudonym: visit.isPseudonym === true,
      decided_at: null,
      decided_by: null,
    })
    .execute()
  await tellState(tx, link.id, [{ id: actor.id, state: null }])
  if (state === 'seated') await orderFor(tx, actor, link, [actor.email], parts)
  return { link, registration: (await registrationOf(tx, link.id, actor.id))!, isNew: true }
}

async function storeName(
  tx: Tx,
  user: UserId,
  currentName: string | null,
  { pseudonymsAllowed }: Link,
  { name, isPseudonym = false }: Visit,
): Promise<void> {
  if (isPseudonym && !pseudonymsAllowed) throw new Problem('invalid', REGISTRATION.pseudonymNotAllowed)
  if (currentName !== null) return
  if (name === undefined) {
    if (pseudonymsAllowed) return
    throw new Problem('invalid', REGISTRATION.nameMissing)
  }
  await tx.updateTable('portal_user').set({ name }).where('id', '=', user).execute()
}

/** Returns the lowest free seat of a locked link for a user. @throws Problem conflict if no seat is free */
async function freeSeat(tx: Tx, link: Link, user: UserId): Promise<number> {
  return (await freeSeats(tx, link, [user]))[0]!
}

/** Returns free seats of a locked link. The seat of a declined user who still has a machine counts as free for that user. */
async function freeSeats(tx: Tx, { id, seats }: Pick<Link, 'id' | 'seats'>, users: readonly UserId[]) {
  const count = users.length
  const { rows } = await selectFreeSeats(tx, id, users, seats, count)
  if (rows.length < count) {
    const free =
      rows.length === 0
        ? 'No seat is free'
        : rows.length === 1
          ? 'Only one seat is free'
          : `Only ${rows.length} seats are free`
    throw conflict(`${free}. Raise the number of seats, or decline other registrations first.`)
  }
  return rows.map(({ seat }) => seat)
}

/** Orders machines of a link for the learners who have no machine in its training. */
async function orderFor(
  tx: Tx,
  actor: Actor,
  link: Link,
  emails: readonly string[],
  parts: OrderDependencies,
): Promise<void> {
  if (!link.with_machine) return
  if (link.template === null) throw conflict(REGISTRATION.broken)
  const { rows: owners } = await selectEmailsWithMachine(tx, link.training_id, [...emails])
  const withMachine = new Set(owners.map(({ email }) => email))
  const email = emails.filter((each) => !withMachine.has(each))
  if (email.length === 0) return
  try {
    await orderMachines(
      tx,
      actor,
      {
        templateName: link.template,
        email,
        trainingName: link.training,
        allocatedHours: link.allotted_minutes,
        createVmCount: email.length,
        guacamole: link.guacamole,
        organization: link.organisation,
      },
      // All learners are users already.
      { ...parts, invites: false },
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw conflict(`No machine can be ordered for this seat at the moment: ${error.message}`)
  }
}

/**
 * Locks the given users and then the link. Returns the link with the users' registrations.
 * @throws Problem conflict that names a user who is not registered with the link
 */
async function lockChosen(
  tx: Tx,
  { id }: Link,
  emails: readonly string[],
): Promise<{ readonly link: Link; readonly chosen: readonly Chosen[] }> {
  await lockUsersOfLink(tx, [...emails], id)
  const link = await lockLink(tx, id)
  const { rows: chosen } = await selectChosen(tx, id, [...emails])
  const found = new Set(chosen.map(({ email }) => email))
  const missing = emails.find((email) => !found.has(email))
  if (missing !== undefined) throw conflict(`${missing} is not registered by this link. Reload the page.`)
  return { link, chosen }
}

/**
 * Gives seats to the given users, in the order of their registration. Returns the users who had no seat before.
 * @throws Problem conflict; forbidden for an address whose domain the link no longer allows
 */
export async function approve(
  tx: Tx,
  actor: Actor,
  of: Link,
  emails: readonly string[],
  parts: OrderDependencies,
): Promise<readonly Chosen[]> {
  const { link, chosen } = await lockChosen(tx, of, emails)
  if (link.state === 'revoked') throw conflict('This link was revoked. Create a new one.')
  const waiting = chosen.filter(({ state }) => state !== 'seated')
  if (waiting.length === 0) return []
  const deactivated = waiting.find(({ isDeactivated }) => isDeactivated)
  if (deactivated !== undefined) throw conflict(`The account of ${deactivated.email} is deactivated.`)
  for (const { email } of waiting) refuseOtherDomain(link, email)
  const seats = await freeSeats(
    tx,
    link,
    waiting.map(({ id }) => id),
  )
  await seatUsers(
    tx,
    actor.email,
    waiting.map(({ id }) => id),
    seats,
    link.id,
  )
  await tellState(tx, link.id, waiting)
  await orderFor(
    tx,
    actor,
    link,
    waiting.map(({ email }) => email),
    parts,
  )
  await mailDecisions(tx, link.id, waiting, parts)
  return waiting
}

/**
 * Declines registrations and frees their seats. Machines are not deleted; the seat of a machine is free after its
 * deletion. Returns the users whose registrations were not declined before.
 */
export async function decline(
  tx: Tx,
  actor: Actor,
  of: Link,
  emails: readonly string[],
  parts: OrderDependencies,
): Promise<readonly Chosen[]> {
  const { link, chosen } = await lockChosen(tx, of, emails)
  const declined = chosen.filter(({ state }) => state !== 'declined')
  if (declined.length === 0) return []
  await tx
    .updateTable('registration')
    .set({ state: 'declined', seat: null, decided_at: sql<Date>`portal_now()`, decided_by: actor.email })
    .where('link_id', '=', link.id)
    .where(
      'user_id',
      'in',
      declined.map(({ id }) => id),
    )
    .execute()
  await tellState(tx, link.id, declined)
  await mailDecisions(tx, link.id, declined, parts)
  return declined
}

const mailDecisions = (
  tx: Tx,
  link: RegistrationLinkId,
  users: readonly { readonly id: UserId }[],
  { jobs }: OrderDependencies,
) =>
  jobs.enqueue(
    tx,
    registrationDecided,
    users.map(({ id }) => ({ link, user: id })),
    link,
  )

/** SQL: true if a waiting user can get a seat and the last attempt with the link did not fail. */
export const SEAT_FREE = sql<boolean>`(select true from (${PROMOTABLE} and l.problem is null) as free limit 1)`

/**
 * Gives free seats to the users on the waiting lists, first come, first served. Each seat is assigned in a separate
 * transaction. If no machine can be ordered, stores the reason with the link and retries in the next run.
 */
export async function seatWaitingUsers(db: Db, parts: OrderDependencies, signal: AbortSignal): Promise<void> {
  const { rows: links } = await selectPromotableLinks(db)
  for (const { id } of links) {
    while (!signal.aborted && (await seatFirst(db, id, parts))) continue
  }
}

/**
 * Gives a free seat to the first user on the waiting list of a link, or declines a user whose domain the link no longer
 * allows. Returns false if no seat is free or no user waits.
 */
async function seatFirst(db: Db, id: RegistrationLinkId, parts: OrderDependencies): Promise<boolean> {
  try {
    return await db.transaction().execute(async (tx) => {
      const { rows } = await selectFirstWaiting(tx, id)
      if (rows[0] === undefined) return false
      const user = rows[0].user_id
      await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
      const { rows: promotable } = await lockIfPromotable(tx, id)
      const found = await findSignInUser(tx, { id: user })
      const link = await linkWithId(tx, id)
      const registration = await registrationOf(tx, id, user)
      if (promotable.length === 0 || link === undefined || found === undefined || registration?.state !== 'waiting')
        return false
      const isAllowed = allowsDomain(link, found.actor.email)
      await tx
        .updateTable('registration')
        .set({
          state: isAllowed ? 'seated' : 'declined',
          seat: isAllowed ? await freeSeat(tx, link, user) : null,
          decided_at: sql<Date>`portal_now()`,
          decided_by: 'waiting list',
        })
        .where('link_id', '=', id)
        .where('user_id', '=', user)
        .execute()
      await tellState(tx, id, [{ id: user, state: 'waiting' }])
      // The refusal is stored with the link and shown to instructors, so it must never mention debts.
      if (isAllowed) await orderFor(tx, { ...found.actor, role: 'user' }, link, [found.actor.email], parts)
      await mailDecisions(tx, id, [{ id: user }], parts)
      if (link.problem !== null) await storeProblem(tx, id, null)
      return true
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await storeProblem(db, id, error.message)
    return false
  }
}

const storeProblem = async (db: Db, id: RegistrationLinkId, problem: string | null): Promise<void> =>
  void (await db.updateTable('registration_link').set({ problem }).where('id', '=', id).execute())
