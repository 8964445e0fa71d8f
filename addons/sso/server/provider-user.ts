import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import type { Call } from '@trainyard/platform/contract/call.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { CallContext } from '@trainyard/platform/server/core/handler.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { isLastAdmin } from '@trainyard/users/server/last-admin.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { type UserChange, remindOfAddressChange, requestChange } from '@trainyard/users/server/confirmed-change.ts'
import { claimUnusedUsers } from '@trainyard/users/server/domain-owner.ts'
import { forgetProviderIdentities } from './forget-identities.ts'
import { endSessionsOf } from '@trainyard/users/server/sessions.ts'
import type { VerifiedIdentity } from './identity.ts'
import type { IdentityProvider } from './provider.ts'
import { adminsAdded, setRole } from '@trainyard/users/server/role.ts'

type AuditChange = CallContext<Call>['auditChange']

/** A portal user who was mailed a link, and must confirm the change before signing in. */
interface Unconfirmed {
  /** Address of the portal user. */
  readonly unconfirmed: string
  readonly role: Role
  readonly change: UserChange['purpose']
}

/**
 * Finds or creates the portal user of an identity at the provider. Returns the address of a portal user who must first confirm a link,
 * because an organisation's admin chooses the provider and could otherwise sign in as another admin, or confirm the
 * address that the directory has requested.
 * @throws Problem forbidden, also for superadmins, because an organisation's admin chooses the provider
 */
export async function findOrCreateProviderUser(
  tx: Tx,
  provider: IdentityProvider,
  person: VerifiedIdentity,
  { jobs, auditChange }: { readonly jobs: JobQueue; readonly auditChange: AuditChange },
): Promise<Actor | Unconfirmed> {
  await lockOrganisation(tx, provider.organisation, 'use')
  const user = (await findLinkedUser(tx, provider, person)) ?? (await linkAccount(tx, jobs, provider, person))
  if (typeof user === 'object') return user
  // The user is locked, so that one who becomes a superadmin concurrently gets no session through the provider.
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
  const found = await findSignInUser(tx, { id: user })
  if (found === undefined) throw emailTaken(person.email)
  if (found.actor.role === 'superadmin') {
    throw new Problem(
      'forbidden',
      'Superadmins log in with a password or a passkey of this portal, not through a provider. If you have neither, ask another superadmin for an invitation.',
    )
  }
  return applyGroupRole(tx, provider, found.actor, person, auditChange)
}

async function findLinkedUser(
  tx: Tx,
  { organisation, client }: IdentityProvider,
  { subject }: VerifiedIdentity,
): Promise<UserId | null> {
  const row = await tx
    .selectFrom('provider_identity')
    .select('user_id')
    .where('organisation_id', '=', organisation)
    .where('issuer', '=', client.issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Links a portal user to a new user at the provider, or returns the address of one who must confirm a change first. */
async function linkAccount(
  tx: Tx,
  jobs: JobQueue,
  provider: IdentityProvider,
  person: VerifiedIdentity,
): Promise<UserId | Unconfirmed> {
  const { organisation, client } = provider
  const { email, subject } = person
  await claimUnusedUsers(tx, organisation, { emails: [email] })
  const existing = await tx.selectFrom('portal_user').select('id').where('email', '=', email).executeTakeFirst()
  // The user of the directory has a portal user under the former address. A second portal user would keep it from moving.
  const former = existing === undefined ? await remindOfAddressChange(tx, jobs, organisation, email) : null
  if (former !== null) return { unconfirmed: former.email, role: former.role, change: 'address' }
  const created = await tx
    .insertInto('portal_user')
    .values({ email, role: person.role ?? 'user', organisation_id: organisation, password_hash: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  const { id, organisation_id, role } = await tx
    .selectFrom('portal_user')
    .select(['id', 'organisation_id', 'role'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (organisation_id !== organisation) throw emailTaken(email)
  if (created !== undefined && role === 'admin') await emit(tx, adminsAdded, [organisation])
  if (created === undefined && role === 'admin') {
    await requestChange(tx, jobs, id, { purpose: 'provider', issuer: client.issuer, subject })
    return { unconfirmed: email, role, change: 'provider' }
  }
  await tx
    .insertInto('provider_identity')
    .values({ organisation_id: organisation, issuer: client.issuer, subject, user_id: id })
    .onConflict((on) => on.doNothing())
    .execute()
  // Concurrent first sign-ins find the same link. If a link to another subject exists, it does not change.
  if ((await findLinkedUser(tx, provider, person)) !== id) {
    throw new Problem(
      'forbidden',
      `The account ${email} is linked to another user at your provider. Ask your administrator to delete it first.`,
    )
  }
  return id
}

/**
 * Sets the role from the mapped groups at each sign-in. A user in no mapped group gets the role user as long as a group is
 * mapped to admin. Takes the role of an admin only if a group of the provider gave it, because only superadmins can take
 * it from other admins. The last admin of an organisation stays an admin, because otherwise only a superadmin could help
 * its users.
 */
async function applyGroupRole(
  tx: Tx,
  provider: IdentityProvider,
  actor: Actor,
  identity: VerifiedIdentity,
  auditChange: AuditChange,
): Promise<Actor> {
  const role = identity.role ?? ([...provider.roles.values()].includes('admin') ? 'user' : null)
  if (role === null || actor.role === role || (actor.role !== 'user' && actor.role !== 'admin')) return actor
  const reason = role === 'user' ? await reasonToStayAdmin(tx, provider, actor) : null
  if (reason !== null) {
    auditChange({ role: actor.role }, { role: actor.role, refused: role, reason })
    return actor
  }
  await setRole(tx, actor.id, role)
  if (role === 'admin') await forgetProviderIdentities(tx, actor.id, provider.client.issuer)
  await endSessionsOf(tx, actor.id)
  if (role === 'admin') await emit(tx, adminsAdded, [provider.organisation])
  auditChange({ role: actor.role }, { role })
  return { ...actor, role }
}

/** Returns why an admin keeps the role regardless of the groups; null if a group can take it. */
async function reasonToStayAdmin(
  tx: Tx,
  { organisation, client }: IdentityProvider,
  { id }: Actor,
): Promise<string | null> {
  // Other promotions remove the link, so a role that is not older than the link was given by a group.
  const given = await tx
    .selectFrom('provider_identity as p')
    .innerJoin('portal_user as u', 'u.id', 'p.user_id')
    .select('u.id')
    .where('u.id', '=', id)
    .where('p.issuer', '=', client.issuer)
    .whereRef('u.role_since', '>=', 'p.bound_at')
    .executeTakeFirst()
  if (given === undefined) return 'not given by a group'
  return (await isLastAdmin(tx, id, organisation)) ? 'last admin' : null
}

const emailTaken = (email: string): Problem =>
  new Problem(
    'forbidden',
    `The e-mail ${email} cannot be used to sign in to this organisation. Ask your administrator.`,
  )
