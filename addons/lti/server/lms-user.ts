import { LMS } from '../contract/lms-words.ts'
import type { LmsCourseId, OrganisationId, TrainingId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { addressWithoutMailbox } from '@trainyard/users/server/address.ts'
import { endInstructors } from '@trainyard/trainings/server/instructor.ts'
import { addedBy, addedByLms, deleteTicketsOfUnlisted, hasNoCourse, isUnlisted } from './queries.ts'

/** A user of an LMS, identified by issuer and subject within one organisation. */
export interface LmsIdentity {
  readonly organisation_id: OrganisationId
  readonly issuer: string
  readonly subject: string
}

/** Returns the address of a portal user for an LMS user who is not linked yet. The address has no mailbox. */
export const addressOf = ({ organisation_id, issuer, subject }: LmsIdentity): string =>
  addressWithoutMailbox(organisation_id, issuer, subject)

/** Returns the link of an LMS user to a portal user; null if there is none. */
async function findLink(db: Db, { organisation_id, issuer, subject }: LmsIdentity) {
  const row = await db
    .selectFrom('lms_identity')
    .select(['user_id as user', 'needs_login as needsLogin'])
    .where('organisation_id', '=', organisation_id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns true if the organisation has a portal user with the e-mail address that the LMS sent, and the LMS user has none
 * or must log in again. The LMS does not prove the address, so the user must sign in to the portal before the two are
 * linked.
 */
export async function hasLinkableUser(db: Db, person: LmsIdentity, email: string) {
  const { organisation_id, issuer, subject } = person
  const link = await findLink(db, person)
  if (link !== null && !link.needsLogin) return false
  const row = await db
    .selectFrom('portal_user as u')
    .select('u.id')
    .where('u.email', '=', email)
    .where('u.organisation_id', '=', organisation_id)
    .where('u.role', '=', 'user')
    .where('u.signed_in_at', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('lms_identity as i')
            .select('i.user_id')
            .whereRef('i.user_id', '=', 'u.id')
            .where('i.issuer', '=', issuer)
            .where('i.subject', '<>', subject),
        ),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the portal user of an LMS user. On the first launch, creates a portal user with an address that never receives
 * e-mail.
 * @throws Problem forbidden for portal users with more rights than a learner, because the LMS must not sign them in
 */
export async function findOrCreateLmsUser(
  tx: Tx,
  person: LmsIdentity & { readonly name: string | null },
): Promise<Actor> {
  await lockOrganisation(tx, person.organisation_id, 'use')
  const user = (await findLink(tx, person))?.user ?? (await createAccount(tx, person))
  // The user's row is locked, so that a user who gets another role concurrently gets no session through the LMS.
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
  const found = await findSignInUser(tx, { id: user })
  if (found?.actor.role !== 'user') throw new Problem('forbidden', LMS.adminAccount)
  // Read under the lock, because a change of the password may have been in progress.
  if ((await findLink(tx, person))?.needsLogin !== false) throw new Problem('forbidden', LMS.logIn)
  return found.actor
}

async function createAccount(tx: Tx, person: LmsIdentity & { readonly name: string | null }): Promise<UserId> {
  const email = addressOf(person)
  await tx
    .insertInto('portal_user')
    .values({
      email,
      name: person.name,
      role: 'user',
      organisation_id: person.organisation_id,
      password_hash: null,
    })
    .onConflict((on) => on.doNothing())
    .execute()
  // A roster or a concurrent launch may have created the portal user.
  const { id } = await tx
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', email)
    .where('organisation_id', '=', person.organisation_id)
    .executeTakeFirstOrThrow()
  const { organisation_id, issuer, subject } = person
  await tx
    .insertInto('lms_identity')
    .values({ organisation_id, issuer, subject, user_id: id })
    .onConflict((on) => on.doNothing())
    .execute()
  return (await findLink(tx, person))!.user
}

/**
 * Links a signed-in portal user, who has just logged in, to a user of the LMS. @throws Problem conflict; forbidden for another e-mail address or organisation
 */
export async function linkUser(
  tx: Tx,
  actor: Actor,
  person: LmsIdentity & { readonly email: string | null },
): Promise<void> {
  const { organisation_id, issuer, subject } = person
  if (actor.organisation?.id !== organisation_id || actor.email !== person.email) {
    throw new Problem('forbidden', 'The LMS states another e-mail than that of your account.')
  }
  await tx
    .insertInto('lms_identity')
    .values({ organisation_id, issuer, subject, user_id: actor.id })
    .onConflict((on) => on.doNothing())
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('lms_identity')
    .set({ needs_login: false })
    .where('organisation_id', '=', organisation_id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', actor.id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    throw conflict('This LMS account or your account is already linked to another account.')
  }
}

/**
 * Makes the user an instructor of the training, or removes this role if an LMS granted it. Does not change other
 * trainings. Returns whether the role was removed.
 */
export async function applyCourseRole(
  tx: Tx,
  user: UserId,
  {
    training,
    organisation,
    isInstructor,
    platform,
  }: {
    readonly training: TrainingId
    readonly organisation: OrganisationId
    readonly isInstructor: boolean
    readonly platform: string
  },
): Promise<{ readonly endedRole: boolean }> {
  if (isInstructor) {
    await tx
      .insertInto('training_instructor')
      .values({ training_id: training, organisation_id: organisation, user_id: user, added_by: addedBy(platform) })
      .onConflict((on) => on.doNothing())
      .execute()
    return { endedRole: false }
  }
  return { endedRole: (await endInstructors(tx, addedByLms(training, user))) > 0 }
}

/** Ends the roles that LMSs gave in trainings to which no course is connected. */
export async function endRolesWithoutCourse(tx: Tx, organisation: OrganisationId): Promise<void> {
  await endInstructors(tx, hasNoCourse(organisation))
}

/**
 * Ends the roles and tickets of users whom an LMS no longer lists as instructors of a course, unless another course of
 * the training lists them.
 * @param instructors subjects that the LMS lists now; empty if the course is disconnected. The rows of `lms_member` are those of the previous list
 */
export async function endUnlistedRoles(tx: Tx, course: LmsCourseId, instructors: readonly string[]): Promise<void> {
  await deleteTicketsOfUnlisted(tx, course, instructors)
  await endInstructors(tx, isUnlisted(course, instructors))
}
