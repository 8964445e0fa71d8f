import { userInvite } from './invitation-email.ts'
import { sql } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { cannotBeAdded, claimUnusedUsers, refuseForeignDomains } from './domain-owner.ts'
import { INVITATION_DAYS, revokeLinks } from './invitation-link.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { addressChanged } from './address.ts'
import type { Person } from './change-user.ts'
import { insertLearners, insertInvitations, updateLearnerNames, selectInvitable } from './queries.ts'

/**
 * Ensures that each e-mail is a user of the organisation. Creates missing users (role user) and mails
 * invitations to new users and to users whose invitation has bounced or has expired without being used. Runs a constant number of
 * statements. Users without a mailbox receive no invitation.
 * @param emails distinct and in lower case
 * @param names by e-mail. Stored for learners who have not signed in yet or have no name
 * @throws Problem conflict naming an e-mail that belongs to another organisation, as a user's or by its domain
 */
export async function ensureLearners(
  tx: Tx,
  jobs: JobQueue,
  organisationId: OrganisationId,
  emails: readonly string[],
  names: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  // Sorted, so that concurrent orders with the same users cannot deadlock.
  const sorted = [...emails].sort()
  await refuseForeignDomains(tx, organisationId, sorted)
  await claimUnusedUsers(tx, organisationId, { emails: sorted })
  await insertLearners(tx, organisationId, sorted)
  const foreign = await tx
    .selectFrom('portal_user')
    .select('email')
    .where('email', '=', sql<string>`any(${sorted}::text[])`)
    .where('organisation_id', 'is distinct from', organisationId)
    .orderBy('email')
    .executeTakeFirst()
  if (foreign !== undefined) throw cannotBeAdded(foreign.email)
  await nameLearners(tx, sorted, names)
  const { rows } = await insertInvitations(tx, sorted)
  if (rows.length > 0)
    await jobs.enqueue(
      tx,
      userInvite,
      rows.map(({ id }) => ({ invitation: id })),
      organisationId,
    )
}

async function nameLearners(tx: Tx, sorted: readonly string[], names: ReadonlyMap<string, string>): Promise<void> {
  const named = sorted.filter((email) => names.has(email))
  if (named.length === 0) return
  await updateLearnerNames(
    tx,
    named,
    named.map((email) => names.get(email)!),
  )
}

export async function addInvitation(tx: Tx, user: UserId): Promise<string> {
  const { id } = await tx
    .insertInto('invitation')
    .values({ user_id: user, expires_at: sql<Date>`portal_now() + make_interval(days => ${INVITATION_DAYS})` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function inviteUser(tx: Tx, jobs: JobQueue, user: UserId): Promise<void> {
  const { organisation_id: organisation } = await tx
    .selectFrom('portal_user')
    .select('organisation_id')
    .where('id', '=', user)
    .executeTakeFirstOrThrow()
  await jobs.enqueue(tx, userInvite, [{ invitation: await addInvitation(tx, user) }], organisation ?? undefined)
}

/**
 * Sends a new invitation and invalidates earlier ones. A different address replaces the address of the user and of
 * its machines. Only a superadmin corrects the address of an admin, because the address decides who becomes an admin.
 * @throws Problem conflict if the user has a password, or if the address cannot be corrected
 */
export async function inviteAgain(
  tx: Tx,
  jobs: JobQueue,
  { id, email }: Person,
  { newEmail, by }: { readonly newEmail: string; readonly by: Role },
): Promise<void> {
  const { rows } = await selectInvitable(tx, by === 'superadmin', id)
  const found = rows[0]!
  if (found.hasPassword) throw conflict(`${email} already has a password.`)
  if (newEmail !== email) {
    if (!found.correctable)
      throw conflict(`The address of ${email} cannot be changed: only one whose invitation was rejected can.`)
    await correctAddress(tx, email, newEmail)
  }
  await revokeLinks(tx, id)
  await inviteUser(tx, jobs, id)
}

async function correctAddress(tx: Tx, email: string, newEmail: string): Promise<void> {
  const { organisation_id } = await tx
    .selectFrom('portal_user')
    .select('organisation_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (organisation_id === null) throw cannotBeAdded(newEmail)
  await refuseForeignDomains(tx, organisation_id, [newEmail])
  const taken = await tx
    .selectFrom('portal_user')
    .select('organisation_id')
    .where('email', '=', newEmail)
    .executeTakeFirst()
  if (taken !== undefined && taken.organisation_id !== organisation_id) throw cannotBeAdded(newEmail)
  if (taken !== undefined)
    throw conflict(`${newEmail} already has an account. Hand the machines of ${email} over to it instead.`)
  await tx
    .updateTable('portal_user')
    .set({ email: newEmail })
    .where('email', '=', email)
    .execute()
    .catch((error: { code?: string }) => {
      // A concurrent call took the address.
      if (error.code === '23505') throw cannotBeAdded(newEmail)
      throw error
    })
  // The machines keep their passwords, because no learner has signed in with the old address and seen the passwords.
  await addressChanged(tx, organisation_id, email, newEmail)
}
