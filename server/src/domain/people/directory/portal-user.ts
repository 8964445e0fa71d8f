import { sql } from 'kysely'
import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import { newName } from '@trainyard/contract/calls/shapes.ts'
import type { MachineId, OrganisationId, ScimUserId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { PortalUserRow } from '../../../db/tables/users.gen.ts'
import { setDesiredPower } from '../../lab/machine/desired-power.ts'
import { revokeUnusedTickets } from '../../lab/machine/revoke-tickets.ts'
import { isLastAdmin } from '../organisation/last-admin.ts'
import { lockOrganisation } from '../organisation/scope.ts'
import { addableEmails } from '../user/domain-owner.ts'
import { revokeLinks } from '../user/invitation-link.ts'
import { changeAddress, requestChange } from '../user/confirmed-change.ts'
import { addressWithoutMailbox, hasMailbox } from '../user/address.ts'
import { endSessionsOf } from '../user/sessions.ts'
import type { ScimContext } from './context.ts'
import { isObject, isPrimary, type Resource } from './normalise.ts'
import { notUnique, ScimError } from './scim-error.ts'

/** A SCIM user with the linked account. */
export interface ScimUser {
  readonly id: ScimUserId
  readonly user_id: UserId | null
  readonly user_name: string
  readonly active: boolean
  readonly data: Resource
}

type Account = Pick<PortalUserRow, 'id' | 'email' | 'role' | 'organisation_id' | 'deactivated_at' | 'name'>

const SUPERADMIN = 'This user is a superadmin of the portal. Only superadmins can change the account.'

/**
 * Updates the address, name and activity of the account of a SCIM user. Creates or adopts an account of the
 * organisation if there is none. Sends no invitation: users sign in through the organisation's identity provider. An
 * account that a person already uses gets a new address only after that person has confirmed it. A deactivated account
 * keeps its address until it is reactivated.
 * @throws ScimError 409 for an address that belongs elsewhere; 403 if the change is not permitted
 */
export async function applyAccount(tx: Tx, context: ScimContext, user: ScimUser): Promise<void> {
  const { organisation } = context
  const linked = user.user_id === null ? null : await lockAccount(tx, user.user_id)
  const account = linked ?? (await createOrAdoptAccount(tx, organisation.id, user))
  if (account.role === 'superadmin') {
    if (!user.active) throw new ScimError(403, null, SUPERADMIN)
    return
  }
  if (!user.active) {
    // The address of a deactivated account does not move, so that a conflict of addresses keeps no account open.
    if (account.deactivated_at === null) await deactivate(tx, organisation, account)
  } else if (!(await isErasureOpen(tx, account))) {
    // An account whose personal data is about to be erased stays closed, under the address of the erasure.
    if (linked !== null) await moveAddress(tx, context, account, user)
    if (account.deactivated_at !== null) await reactivate(tx, account)
  }
  const name = nameOf(user.data)
  if (name !== null && name !== account.name) {
    await tx.updateTable('portal_user').set({ name }).where('id', '=', account.id).execute()
  }
}

/** Reactivates a user. */
const reactivate = (tx: Tx, account: Account) =>
  tx.updateTable('portal_user').set({ deactivated_at: null }).where('id', '=', account.id).execute()

const isErasureOpen = async (tx: Tx, { email }: Account): Promise<boolean> =>
  (await tx
    .selectFrom('person_erasure')
    .select('id')
    .where('email', '=', email)
    .where('done_at', 'is', null)
    .executeTakeFirst()) !== undefined

/**
 * Ends the sessions, API keys and links of a user, refuses further sign-ins, and stops the user's machines.
 * @throws ScimError 403 for the last admin
 */
async function deactivate(tx: Tx, organisation: ScimContext['organisation'], account: Account): Promise<void> {
  await requireAnotherActiveAdmin(tx, organisation, account)
  await tx
    .updateTable('portal_user')
    .set({ deactivated_at: sql<Date>`portal_now()` })
    .where('id', '=', account.id)
    .execute()
  await endAccess(tx, organisation.id, account)
}

/**
 * Deletes the account of a deleted SCIM user. Machines and their cost remain. An admin whose access level no group gave
 * is deactivated, because only superadmins delete admins.
 * @throws ScimError 403 for the last admin and for a superadmin
 */
export async function deleteAccount(tx: Tx, { organisation }: ScimContext, user: UserId): Promise<void> {
  const account = await lockAccount(tx, user)
  if (account === null) return
  if (account.role === 'superadmin') throw new ScimError(403, null, SUPERADMIN)
  await requireAnotherActiveAdmin(tx, organisation, account)
  const { role_given: given } = await tx
    .selectFrom('scim_user')
    .select('role_given')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  if (account.role === 'admin' && !given) {
    if (account.deactivated_at === null) await deactivate(tx, organisation, account)
    return
  }
  await endAccess(tx, organisation.id, account)
  await tx.deleteFrom('portal_user').where('id', '=', user).execute()
}

async function requireAnotherActiveAdmin(
  tx: Tx,
  { id, name }: ScimContext['organisation'],
  account: Account,
): Promise<void> {
  if (account.role !== 'admin' || !(await isLastAdmin(tx, account.id, id))) return
  throw new ScimError(403, null, `${name} must keep an active admin. Make another user an admin first.`)
}

/** Ends the sessions and links of a user, and stops the user's machines. */
async function endAccess(tx: Tx, organisation: OrganisationId, { id, email }: Account): Promise<void> {
  await endSessionsOf(tx, id)
  await revokeLinks(tx, id)
  const { rows } = await sql<{ id: MachineId }>`
    select id from machine where organisation_id = ${organisation} and email = ${email} and terminated_at is null
      and desired = 'running' order by id`.execute(tx)
  const machines = rows.map((row) => row.id)
  if (machines.length === 0) return
  await setDesiredPower(tx, machines, 'stopped')
  await revokeUnusedTickets(tx, machines)
}

async function lockAccount(tx: Tx, id: UserId): Promise<Account | null> {
  const found = await tx
    .selectFrom('portal_user')
    .select(['id', 'email', 'role', 'organisation_id', 'deactivated_at', 'name'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

async function createOrAdoptAccount(tx: Tx, organisation: OrganisationId, user: ScimUser): Promise<Account> {
  await lockOrganisation(tx, organisation, 'use')
  const email = await freeAddress(tx, organisation, user)
  const created = await tx
    .insertInto('portal_user')
    .values({ email, role: 'user', organisation_id: organisation, password_hash: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  const adopted = created === undefined
  const account = await tx
    .selectFrom('portal_user')
    .select(['id', 'email', 'role', 'organisation_id', 'deactivated_at', 'name'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (account.organisation_id !== organisation || account.role === 'superadmin') throw cannotHave(email)
  const returns = adopted && (await wasDeletedHere(tx, account))
  if (adopted && !returns) await requireAdoptable(tx, organisation, account)
  if (returns) await tx.updateTable('portal_user').set({ role: 'user' }).where('id', '=', account.id).execute()
  await tx.updateTable('scim_user').set({ user_id: account.id, adopted }).where('id', '=', user.id).execute()
  return returns ? { ...account, role: 'user' } : account
}

/**
 * Returns true for an admin whom a directory of the organisation has deleted, see `deleteAccount`. Such an account has
 * lost all access and returns without the access level.
 */
const wasDeletedHere = async (tx: Tx, account: Account): Promise<boolean> =>
  account.role === 'admin' && account.deactivated_at !== null && !(await isErasureOpen(tx, account))

/**
 * Throws unless the directory may manage an account that existed before: an account of a verified domain that is not an
 * admin's. Any admin can create a token of the directory, and could otherwise take over the account of another admin.
 * @throws ScimError 409
 */
async function requireAdoptable(tx: Tx, organisation: OrganisationId, { email, role }: Account): Promise<void> {
  if (role !== 'user') throw notUnique(`${email} is an admin of the portal. The directory cannot manage the account.`)
  const { rows } = await sql`
    select from organisation_domain where organisation_id = ${organisation} and verified_at is not null
      and domain = split_part(${email}, '@', 2)`.execute(tx)
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
    const { rows } = await sql`
      select from scim_user s join portal_user u on u.id = s.user_id
      where u.email = ${email} and s.id <> ${user.id}`.execute(tx)
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
 * Changes the address of the account and of its machines, if the preferred address of the SCIM user has changed. If
 * another mailbox could then reset the password of an account in use, its owner must confirm the change first.
 */
async function moveAddress(
  tx: Tx,
  { organisation: { id: organisation }, jobs }: ScimContext,
  account: Account,
  user: ScimUser,
): Promise<void> {
  const requested = addressesOf(user)
  if (requested.length === 0 || requested[0] === account.email) {
    await revokeLinks(tx, account.id, 'address')
    return
  }
  const email = await freeAddress(tx, organisation, user)
  if (email === account.email || !requested.includes(email)) return
  const taken = await tx.selectFrom('portal_user').select('id').where('email', '=', email).executeTakeFirst()
  if (taken !== undefined) throw notUnique(`${email} already has an account in this organisation.`)
  if (await needsConfirmation(tx, account)) {
    await requestChange(tx, jobs, account.id, { purpose: 'address', newEmail: email })
  } else await changeAddress(tx, jobs, { id: account.id, email: account.email, organisation }, email)
}

async function needsConfirmation(tx: Tx, { id, email, role }: Account): Promise<boolean> {
  if (!hasMailbox(email)) return false
  const { rows } = await sql<{ used: boolean }>`
    select s.adopted or u.password_hash is not null or exists (select from passkey p where p.user_id = u.id) as used
    from portal_user u join scim_user s on s.user_id = u.id where u.id = ${id}`.execute(tx)
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
