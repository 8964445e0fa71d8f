import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import { newName } from '@trainyard/platform/contract/shapes.ts'
import type { OrganisationId, ScimUserId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PortalUserRow } from '@trainyard/users/tables.gen.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { accessEnded } from '@trainyard/machines/server/events.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { isLastAdmin } from '@trainyard/users/server/last-admin.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { addableEmails } from '@trainyard/users/server/domain-owner.ts'
import { revokeLinks } from '@trainyard/users/server/invitation-link.ts'
import { changeAddress, requestChange } from '@trainyard/users/server/confirmed-change.ts'
import { addressWithoutMailbox, hasMailbox } from '@trainyard/users/server/address.ts'
import { endSessionsOf } from '@trainyard/users/server/sessions.ts'
import type { ScimContext } from './context.ts'
import { isObject, isPrimary, type Resource } from './normalise.ts'
import { selectRunningMachines, selectVerifiedDomain, selectUserAtAddress, selectIsUsed } from './queries.ts'
import { notUnique, ScimError } from './scim-error.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import { deactivateUser, setRole, staysDeactivated } from '@trainyard/users/server/role.ts'

/** A SCIM user with the linked portal user. */
export interface ScimUser {
  readonly id: ScimUserId
  readonly user_id: UserId | null
  readonly user_name: string
  readonly active: boolean
  readonly data: Resource
}

type PortalUser = Pick<PortalUserRow, 'id' | 'email' | 'role' | 'organisation_id' | 'deactivated_at' | 'name'>

const SUPERADMIN = 'This user is a superadmin of the portal. Only superadmins can change the account.'

/**
 * Updates the address, name and activity of the portal user of a SCIM user. Creates or adopts a portal user of the
 * organisation if there is none. Sends no invitation: users sign in through the organisation's identity provider. An
 * portal user that a person already uses gets a new address only after that person has confirmed it. A deactivated portal user
 * keeps its address until it is reactivated.
 * @throws ScimError 409 for an address that belongs elsewhere; 403 if the change is not permitted
 */
export async function applyToPortalUser(tx: Tx, context: ScimContext, user: ScimUser): Promise<void> {
  const { organisation } = context
  const linked = user.user_id === null ? null : await lockPortalUser(tx, user.user_id)
  const portalUser = linked ?? (await createOrAdoptPortalUser(tx, organisation.id, user))
  if (portalUser.role === 'superadmin') {
    if (!user.active) throw new ScimError(403, null, SUPERADMIN)
    return
  }
  if (!user.active) {
    // The address of a deactivated portal user does not move, so that a conflict of addresses cannot prevent the deactivation.
    if (portalUser.deactivated_at === null) await deactivate(tx, organisation, portalUser)
  } else if (!(await isErasureOpen(tx, portalUser))) {
    // A portal user whose personal data is about to be erased stays closed, under the address of the erasure.
    if (linked !== null) await moveAddress(tx, context, portalUser, user)
    if (portalUser.deactivated_at !== null) await reactivate(tx, portalUser)
  }
  const name = nameOf(user.data)
  if (name !== null && name !== portalUser.name)
    await tx.updateTable('portal_user').set({ name }).where('id', '=', portalUser.id).execute()
}

/** Reactivates a user. */
async function reactivate(tx: Tx, portalUser: PortalUser): Promise<void> {
  await tx.updateTable('portal_user').set({ deactivated_at: null }).where('id', '=', portalUser.id).execute()
}

const isErasureOpen = (tx: Tx, { email }: PortalUser): Promise<boolean> => ask(tx, staysDeactivated, email)

/**
 * Ends the sessions, API keys and links of a user, refuses further sign-ins, and stops the user's machines.
 * @throws ScimError 403 for the last admin
 */
async function deactivate(tx: Tx, organisation: ScimContext['organisation'], portalUser: PortalUser): Promise<void> {
  await requireAnotherActiveAdmin(tx, organisation, portalUser)
  await deactivateUser(tx, portalUser.id)
  await endAccess(tx, organisation.id, portalUser)
}

/**
 * Deletes the portal user of a deleted SCIM user. Machines and their cost remain. An admin whose access level no group gave
 * is deactivated, because only superadmins delete admins.
 * @throws ScimError 403 for the last admin and for a superadmin
 */
export async function deletePortalUser(tx: Tx, { organisation }: ScimContext, user: UserId): Promise<void> {
  const portalUser = await lockPortalUser(tx, user)
  if (portalUser === null) return
  if (portalUser.role === 'superadmin') throw new ScimError(403, null, SUPERADMIN)
  await requireAnotherActiveAdmin(tx, organisation, portalUser)
  const { role_given: given } = await tx
    .selectFrom('scim_user')
    .select('role_given')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  if (portalUser.role === 'admin' && !given) {
    if (portalUser.deactivated_at === null) await deactivate(tx, organisation, portalUser)
    return
  }
  await endAccess(tx, organisation.id, portalUser)
  await tx.deleteFrom('portal_user').where('id', '=', user).execute()
}

async function requireAnotherActiveAdmin(
  tx: Tx,
  { id, name }: ScimContext['organisation'],
  portalUser: PortalUser,
): Promise<void> {
  if (portalUser.role !== 'admin' || !(await isLastAdmin(tx, portalUser.id, id))) return
  throw new ScimError(403, null, `${name} must keep an active admin. Make another user an admin first.`)
}

/** Ends the sessions and links of a user, and stops the user's machines. */
async function endAccess(tx: Tx, organisation: OrganisationId, { id, email }: PortalUser): Promise<void> {
  await endSessionsOf(tx, id)
  await revokeLinks(tx, id)
  const { rows } = await selectRunningMachines(tx, organisation, email)
  const machines = rows.map((row) => row.id)
  if (machines.length === 0) return
  await setDesiredPower(tx, machines, 'stopped')
  await emit(tx, accessEnded, machines)
}

async function lockPortalUser(tx: Tx, id: UserId): Promise<PortalUser | null> {
  const found = await tx
    .selectFrom('portal_user')
    .select(['id', 'email', 'role', 'organisation_id', 'deactivated_at', 'name'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

async function createOrAdoptPortalUser(tx: Tx, organisation: OrganisationId, user: ScimUser): Promise<PortalUser> {
  await lockOrganisation(tx, organisation, 'use')
  const email = await freeAddress(tx, organisation, user)
  const created = await tx
    .insertInto('portal_user')
    .values({ email, role: 'user', organisation_id: organisation, password_hash: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  const adopted = created === undefined
  const portalUser = await tx
    .selectFrom('portal_user')
    .select(['id', 'email', 'role', 'organisation_id', 'deactivated_at', 'name'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (portalUser.organisation_id !== organisation || portalUser.role === 'superadmin') throw cannotHave(email)
  const returns = adopted && (await wasDeletedHere(tx, portalUser))
  if (adopted && !returns) await requireAdoptable(tx, organisation, portalUser)
  if (returns) await setRole(tx, portalUser.id, 'user')
  await tx.updateTable('scim_user').set({ user_id: portalUser.id, adopted }).where('id', '=', user.id).execute()
  return returns ? { ...portalUser, role: 'user' } : portalUser
}

/**
 * Returns true for an admin whom a directory of the organisation has deleted, see `deletePortalUser`. Such a portal user has
 * lost all access and returns without the access level.
 */
const wasDeletedHere = async (tx: Tx, portalUser: PortalUser): Promise<boolean> =>
  portalUser.role === 'admin' && portalUser.deactivated_at !== null && !(await isErasureOpen(tx, portalUser))

/**
 * Throws unless the directory may manage a portal user that existed before: a portal user of a verified domain that is not an
 * admin's. Any admin can create a token of the directory, and could otherwise take over the portal user of another admin.
 * @throws ScimError 409
 */
async function requireAdoptable(tx: Tx, organisation: OrganisationId, { email, role }: PortalUser): Promise<void> {
  if (role !== 'user') throw notUnique(`${email} is an admin of the portal. The directory cannot manage the account.`)
  const { rows } = await selectVerifiedDomain(tx, organisation, email)
  if (rows.length === 0)
    throw notUnique(
      `${email} already has an account, and its domain is not verified for this organisation. Verify the domain in Organisation Settings first.`,
    )
}

/** Returns the same error for addresses of other organisations and of superadmins, so that it reveals neither. */
const cannotHave = (email: string) =>
  notUnique(`${email} cannot be added to this organisation. Use another address, or contact support.`)

/**
 * Returns the first candidate address that no other SCIM user has, or an address without a mailbox if there is none.
 * @throws ScimError 409 if the address belongs to another organisation
 */
async function freeAddress(tx: Tx, organisation: OrganisationId, user: ScimUser): Promise<string> {
  for (const email of addressesOf(user)) {
    const { refused } = await addableEmails(tx, organisation, [email])
    if (refused.length > 0) throw cannotHave(email)
    const { rows } = await selectUserAtAddress(tx, email, user.id)
    if (rows.length === 0) return email
  }
  return addressWithoutMailbox('scim', user.id)
}

/** Returns the candidate addresses in order of preference: the primary, work or first e-mail, then the user name. */
function addressesOf({ user_name, data }: Pick<ScimUser, 'user_name' | 'data'>): string[] {
  const emails = Array.isArray(data['emails']) ? (data['emails'] as unknown[]).filter(isObject) : []
  const preferred =
    emails.find((email) => isPrimary(email)) ?? emails.find((email) => email['type'] === 'work') ?? emails[0]
  const candidates = [preferred?.['value'], user_name].flatMap((value) =>
    typeof value === 'string' ? [normaliseEmail(value)] : [],
  )
  return [...new Set(candidates)].filter(isEmail)
}

/**
 * Changes the address of the portal user and of its machines, if the preferred address of the SCIM user has changed. If
 * another mailbox could then reset the password of a portal user in use, that portal user must confirm the change first.
 */
async function moveAddress(
  tx: Tx,
  { organisation: { id: organisation }, jobs }: ScimContext,
  portalUser: PortalUser,
  user: ScimUser,
): Promise<void> {
  const requested = addressesOf(user)
  if (requested.length === 0 || requested[0] === portalUser.email) {
    await revokeLinks(tx, portalUser.id, 'address')
    return
  }
  const email = await freeAddress(tx, organisation, user)
  if (email === portalUser.email || !requested.includes(email)) return
  const taken = await tx.selectFrom('portal_user').select('id').where('email', '=', email).executeTakeFirst()
  if (taken !== undefined) throw notUnique(`${email} already has an account in this organisation.`)
  if (await needsConfirmation(tx, portalUser)) {
    await requestChange(tx, jobs, portalUser.id, { purpose: 'address', newEmail: email })
  } else await changeAddress(tx, jobs, { id: portalUser.id, email: portalUser.email, organisation }, email)
}

async function needsConfirmation(tx: Tx, { id, email, role }: PortalUser): Promise<boolean> {
  if (!hasMailbox(email)) return false
  const { rows } = await selectIsUsed(tx, id)
  return role === 'admin' || rows[0]?.used === true
}

/** Returns the display name; null if there is none that is valid in the portal. */
function nameOf(data: Resource): string | null {
  const name = isObject(data['name']) ? data['name'] : {}
  const parts = [name['givenName'], name['familyName']].filter((part) => typeof part === 'string').join(' ')
  const provided = data['displayName'] ?? name['formatted'] ?? parts
  const valid = newName.safeParse(provided)
  return valid.success ? valid.data : null
}
