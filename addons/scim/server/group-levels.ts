import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { isLastAdmin } from '@trainyard/users/server/last-admin.ts'
import { applyGroupLevels } from './queries.ts'
import { endSessionsOf } from '@trainyard/users/server/sessions.ts'
import { roleGiven, setRole } from '@trainyard/users/server/role.ts'

type Organisation = { readonly id: OrganisationId }

/** Members of a group need not be users of the portal. */
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

interface LevelChange {
  readonly email: string
  readonly role: 'user' | 'admin'
}

/**
 * Sets the access level of users by their groups: admin if a group is mapped to admin, otherwise user. Takes an
 * access level only from users to whom a group gave it, because only superadmins can take it from other admins. Does not
 * change superadmins and lab users. The last admin changes as soon as there is another one.
 * @returns the changed users with their new role, for the audit row
 */
export async function applyGroupRoles(
  tx: Tx,
  { organisation }: { readonly organisation: Organisation },
  users: readonly string[],
): Promise<readonly LevelChange[]> {
  const { rows } = await applyGroupLevels(
    tx,
    organisation.id,
    users.filter((user) => UUID.test(user)),
  )
  const changes: LevelChange[] = []
  for (const { scim, id, email, role } of rows) {
    if (role === 'user' && (await isLastAdmin(tx, id, organisation.id))) continue
    await setRole(tx, id, role)
    await tx
      .updateTable('scim_user')
      .set({ role_given: role === 'admin' })
      .where('id', '=', scim)
      .execute()
    await emit(tx, roleGiven, [{ user: id, role, isChosen: false }])
    await endSessionsOf(tx, id)
    changes.push({ email, role })
  }
  const hasNewAdmin = changes.some(({ role }) => role === 'admin')
  return hasNewAdmin ? [...changes, ...(await endKeptLevels(tx, organisation))] : changes
}

/**
 * Takes the access level from users who kept it because they were the last admin. Call after another user became an
 * admin. Returns the changed users.
 */
export async function endKeptLevels(tx: Tx, organisation: Organisation): Promise<readonly LevelChange[]> {
  const given = await tx
    .selectFrom('scim_user')
    .select('id')
    .where('organisation_id', '=', organisation.id)
    .where('role_given', '=', true)
    .execute()
  return applyGroupRoles(
    tx,
    { organisation },
    given.map(({ id }) => id),
  )
}

/**
 * Returns a warning if a former admin created directory tokens that are still valid. The tokens are not revoked, because
 * the organisation's directory would stop working.
 */
export async function warnOfTokens(
  db: Db,
  { email, organisation }: { readonly email: string; readonly organisation: OrganisationId | null },
): Promise<string[]> {
  const tokens = await db
    .selectFrom('scim_token')
    .select('name')
    .where('organisation_id', '=', organisation)
    .where('created_by', '=', email)
    .where('expires_at', '>', sql<Date>`portal_now()`)
    .orderBy('name')
    .execute()
  if (tokens.length === 0) return []
  const names = tokens.map(({ name }) => name).join(', ')
  return [
    tokens.length === 1
      ? `They created the directory token ${names}, which is still valid. Replace it in Organisation Settings.`
      : `They created the directory tokens ${names}, which are still valid. Replace them in Organisation Settings.`,
  ]
}
