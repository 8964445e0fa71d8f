import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { isLastAdmin } from './last-admin.ts'
import {
  selectForeignDomains,
  lockUnusedAccounts,
  revokeInvitationsOf,
  claimAccounts,
  selectAddability,
} from './queries.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { setRole, usersMoved } from './role.ts'

/**
 * Throws if another organisation has verified the domain of one of the addresses.
 * @throws Problem conflict, see `cannotBeAdded`
 */
export async function refuseForeignDomains(
  tx: Tx,
  organisation: OrganisationId,
  emails: readonly string[],
): Promise<void> {
  const { rows } = await selectForeignDomains(tx, [...emails], organisation)
  if (rows[0] !== undefined) throw cannotBeAdded(rows[0].email)
}

/** Addresses whose unused users are moved: the listed addresses, or all addresses of a domain. */
type Addresses = { readonly emails: readonly string[] } | { readonly domain: string }

/**
 * Moves users that were never used from other organisations to the one that has verified their domain, and returns
 * them. Role, name, password and links of the other organisation end. Its machines stay with it. The last admin of an
 * organisation with other users is not moved: a superadmin must first add another admin there.
 */
export async function claimUnusedUsers(
  tx: Tx,
  organisation: OrganisationId,
  of: Addresses,
): Promise<readonly UserId[]> {
  const emails = 'emails' in of ? [...of.emails] : null
  const suffix = 'domain' in of ? `@${of.domain}` : null
  const { rows: unused } = await lockUnusedAccounts(tx, organisation, emails, suffix)
  const users: UserId[] = []
  for (const { id, role, organisation_id } of unused) {
    if (role === 'admin') {
      if ((await isLastAdmin(tx, id, organisation_id)) && (await hasUsersExcept(tx, organisation_id, [...users, id])))
        continue
      // If both admins of an organisation are unused, neither counts as the replacement of the other.
      await setRole(tx, id, 'user')
    }
    users.push(id)
  }
  if (users.length === 0) return users
  await revokeInvitationsOf(tx, users)
  await emit(
    tx,
    usersMoved,
    users.map((user) => ({ user, leavesOrganisation: true })),
  )
  await claimAccounts(tx, organisation, users)
  return users
}

async function hasUsersExcept(tx: Tx, organisation: OrganisationId, except: readonly UserId[]): Promise<boolean> {
  const other = await tx
    .selectFrom('portal_user')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('id', 'not in', except)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Returns the refusal of an address that belongs elsewhere. The sentence is the same for a foreign domain and a foreign
 * user, so that it does not reveal which addresses belong to users.
 */
export const cannotBeAdded = (email: string) =>
  conflict(`${email} cannot be added to this organisation. Use another address, or contact support.`)

/**
 * Divides addresses into those that can be users of the organisation and those that belong elsewhere. Moves
 * unused users of the organisation's verified domains first, as an order does.
 */
export async function addableEmails(
  tx: Tx,
  organisation: OrganisationId,
  emails: readonly string[],
): Promise<{ readonly addable: string[]; readonly refused: { readonly email: string; readonly problem: string }[] }> {
  await claimUnusedUsers(tx, organisation, { emails })
  const { rows } = await selectAddability(tx, organisation, [...emails])
  return {
    addable: rows.filter(({ elsewhere }) => !elsewhere).map(({ email }) => email),
    refused: rows
      .filter(({ elsewhere }) => elsewhere)
      .map(({ email }) => ({ email, problem: cannotBeAdded(email).message })),
  }
}
