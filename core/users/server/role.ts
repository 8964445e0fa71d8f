import { sql } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { emit, event, hook } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/** A user who gets another role or organisation. Emitted before the change: rows that depend on either end first. */
interface MovedUser {
  readonly user: UserId
  readonly leavesOrganisation: boolean
}
export const usersMoved = event<MovedUser>('users.moved')
export const usersDeactivated = event<UserId>('users.deactivated')

/** A role that a superadmin or a group of a directory gave a user. */
interface GivenRole {
  readonly user: UserId
  readonly role: Role
  /** True if a superadmin chose the role. */
  readonly isChosen: boolean
}
export const roleGiven = event<GivenRole>('users.roleGiven')

/** Organisations that have a further admin. */
export const adminsAdded = event<OrganisationId>('users.adminAdded')

/** Warnings about what a user who loses the role of an admin, or is deleted, leaves behind: sentences. */
export const leftBehind = hook<
  { readonly email: string; readonly organisation: OrganisationId | null },
  readonly string[]
>('users.leftBehind', [], (first, second) => [...first, ...second])

/** True for the address of a user who must not be activated again. */
export const staysDeactivated = hook<string, boolean>(
  'users.staysDeactivated',
  false,
  (first, second) => first || second,
)

/**
 * Changes the role of a user. No other function changes the role of an existing user within the organisation.
 * @returns false if the user already has the role, or no longer has the former one
 */
export async function setRole(tx: Tx, id: UserId, role: Role, former?: Role): Promise<boolean> {
  const user = await tx
    .selectFrom('portal_user')
    .select('role')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user === undefined || user.role === role || (former !== undefined && user.role !== former)) return false
  await emit(tx, usersMoved, [{ user: id, leavesOrganisation: false }])
  await tx
    .updateTable('portal_user')
    .set({ role, role_since: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .execute()
  return true
}

/** Refuses further sign-ins of a user. The caller ends the sessions. */
export async function deactivateUser(tx: Tx, id: UserId): Promise<void> {
  await tx
    .updateTable('portal_user')
    .set({ deactivated_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .execute()
  await emit(tx, usersDeactivated, [id])
}
