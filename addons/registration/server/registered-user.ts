import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { MAILED_LINK } from '@trainyard/platform/contract/words/mailed-link.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { idOfMailedToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { createFirstRecoveryCodes } from '@trainyard/second-factor/server/factors.ts'
import { addPasskey, type NewPasskey } from '@trainyard/second-factor/server/passkey.ts'
import { addUser } from '@trainyard/users/server/add-user.ts'
import { revokeLinks } from '@trainyard/users/server/invitation-link.ts'
import { storePassword } from '@trainyard/users/server/store-password.ts'
import { type Link, linkWithId } from './link.ts'
import { refuseClosed, refuseOtherDomain } from './seat.ts'
import { lockName } from '@trainyard/platform/server/db/client.ts'
import { lockAccountWithoutSignIn, selectRecentEmail, selectRecipient, EMAIL_MINUTES } from './queries.ts'

/** Maximum number of e-mails to one address within `EMAIL_MINUTES`, so that the mailbox cannot be flooded. */
const EMAILS_MAX = 3
/** Name of a passkey that is created together with its user. The user can rename the passkey. */
const FIRST_PASSKEY = 'Passkey'

/**
 * Returns the token of an e-mailed link. The token is derived from the ID, so that a resent e-mail contains the same
 * link.
 */
export const confirmationToken = (seal: Seal, id: string): string => `${id}.${seal.token('registration', id)}`

interface Confirmation {
  readonly id: string
  readonly email: string
  readonly link: Link
}

/**
 * Returns the confirmed address and its link, which may have changed since the e-mail was requested.
 * @throws Problem notFound for an incomplete token, and with another message for an unknown, used or expired one, and
 * for a revoked link; conflict, forbidden if the link no longer accepts the address
 */
export async function requireConfirmation(db: Db | Tx, seal: Seal, token: string): Promise<Confirmation> {
  const id = idOfMailedToken(token, (of) => confirmationToken(seal, of), {
    incomplete: MAILED_LINK.registrationIncomplete,
    notValid: MAILED_LINK.registrationNotValid,
  })
  const found = await db
    .selectFrom('registration_email')
    .select(['email', 'link_id'])
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .executeTakeFirst()
  const link = found === undefined ? undefined : await linkWithId(db, found.link_id)
  if (found === undefined || link === undefined || link.state === 'revoked') throw linkNotValid()
  refuseClosed(link, true)
  refuseOtherDomain(link, found.email)
  return { id, email: found.email, link }
}

/** Sign-in methods of a new user. At least one method must be given. */
export interface SignInMethods {
  readonly passwordHash: string | null
  readonly passkey: NewPasskey | null
}

/**
 * Consumes a confirmation: creates the user in the organisation of the link, or adds sign-in methods to an existing
 * user of the organisation that has none.
 * @returns the user, and the recovery codes if a passkey was created
 * @throws Problem notFound if another request used the confirmation concurrently; conflict if the address has an
 * user
 */
export async function createUser(
  tx: Tx,
  { id, email, link }: Confirmation,
  { passwordHash, passkey }: SignInMethods,
): Promise<{ readonly user: UserId; readonly recoveryCodes: string[] | null }> {
  const used = await tx
    .updateTable('registration_email')
    .set({ used_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (used === undefined) throw linkNotValid()
  const user = await addUserWithoutSignIn(tx, { email, link })
  if (passwordHash === null) await revokeLinks(tx, user)
  else if (!(await storePassword(tx, user, passwordHash))) throw linkNotValid()
  if (passkey === null) return { user, recoveryCodes: null }
  await addPasskey(tx, { user, name: FIRST_PASSKEY, credential: passkey })
  return { user, recoveryCodes: await createFirstRecoveryCodes(tx, user) }
}

/**
 * Adds a user without a sign-in method to the organisation of the link, or returns the existing user. @throws
 * Problem conflict if the address belongs to a user with a sign-in method, or to a user of another organisation
 */
export async function addUserWithoutSignIn(
  tx: Tx,
  { email, link }: Pick<Confirmation, 'email' | 'link'>,
): Promise<UserId> {
  const unused = await userWithoutSignIn(tx, email, link)
  if (unused !== null) return unused
  return addUser(tx, { email, organization: link.organisation, userType: 'user' }, null).catch(rethrowConflict)
}

/**
 * Throws if the address already belongs to a user of the organisation, before a password is hashed. @throws Problem conflict
 */
export async function requireNewRecipient(db: Db, { email, link }: Confirmation): Promise<void> {
  if ((await recipientOf(db, link, email)) === 'known') throw noNewUser()
}

function rethrowConflict(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'conflict') throw error
  throw noNewUser()
}

const noNewUser = (): Problem =>
  conflict('This address cannot get a new account here. Log in with your account, or use another address.')

/** Returns the learner with the address in the link's organisation if they have no password, provider or passkey; null otherwise. */
async function userWithoutSignIn(tx: Tx, email: string, { organisation_id }: Link): Promise<UserId | null> {
  const { rows } = await lockAccountWithoutSignIn(tx, email, organisation_id)
  return rows[0]?.id ?? null
}

/**
 * Recipient of a registration e-mail. A `new` recipient can register, a `known` one can log in, and a
 * `foreign` one belongs to another organisation.
 */
export type Recipient = 'new' | 'known' | 'foreign'

/**
 * Records an e-mail and returns its kind; null if the address has received too many e-mails. Idempotent for the same
 * ID.
 */
export async function addEmail(
  tx: Tx,
  link: Link,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<Recipient | null> {
  await lockName(tx, `registration ${email}`)
  const { rows: sent } = await selectRecentEmail(tx, email)
  if (!sent.some((each) => each.id === id)) {
    if (sent.length >= EMAILS_MAX) return null
    await tx
      .insertInto('registration_email')
      .values({
        id,
        link_id: link.id,
        organisation_id: link.organisation_id,
        email,
        expires_at: sql<Date>`portal_now() + make_interval(mins => ${EMAIL_MINUTES})`,
        used_at: null,
      })
      .onConflict((on) => on.doNothing())
      .execute()
  }
  return recipientOf(tx, link, email)
}

async function recipientOf(tx: Db, { organisation_id }: Link, email: string): Promise<Recipient> {
  const { rows } = await selectRecipient(tx, email, organisation_id)
  return rows[0]!.foreign ? 'foreign' : rows[0]!.known ? 'known' : 'new'
}

/** Deletes records of e-mails whose links expired 30 days ago. */
export async function deleteOldEmails(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('registration_email')
    .where('expires_at', '<', sql<Date>`portal_now() - interval '30 days'`)
    .execute()
}

const linkNotValid = () => new Problem('notFound', MAILED_LINK.registrationNotValid)
