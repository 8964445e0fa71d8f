import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PortalUserRow } from '../tables.gen.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'

/**
 * Throws if a change would leave the portal without an active superadmin. Locks the superadmins' rows until the transaction
 * ends, so that concurrent changes cannot remove all of them.
 */
export async function requireAnotherSuperadmin(
  tx: Tx,
  isRemoved: (user: Pick<PortalUserRow, 'id' | 'organisation_id'>) => boolean,
  sentence = 'The last superadmin can not be deleted.',
): Promise<void> {
  const superadmins = await tx
    .selectFrom('portal_user')
    .select(['id', 'organisation_id'])
    .where('role', '=', 'superadmin')
    // A superadmin whose erasure was requested cannot sign in.
    .where('deactivated_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (superadmins.some(isRemoved) && superadmins.every(isRemoved)) throw conflict(sentence)
}

/**
 * Returns true if the organisation has no other active admin. A superadmin of the organisation counts as one. Locks the
 * organisation until the transaction ends, so that concurrent changes cannot remove all admins.
 */
export async function isLastAdmin(tx: Tx, user: UserId, organisation: OrganisationId): Promise<boolean> {
  await lockOrganisation(tx, organisation, 'change')
  const other = await tx
    .selectFrom('portal_user')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('role', 'in', ['admin', 'superadmin'])
    .where('id', '<>', user)
    .where('deactivated_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/**
 * Throws if an organisation would lose its last admin while it has users. Every change that can end a user's role of
 * admin must call this function: a change of the role or the organisation, and the deletion of the user.
 * @param as `leaves` if the user is deleted, which is allowed for the last user of an organisation
 * @throws Problem conflict
 */
export async function requireAnotherAdmin(
  tx: Tx,
  user: Pick<PortalUserRow, 'id' | 'role' | 'organisation_id'>,
  as: 'leaves' | 'becomes a user',
): Promise<void> {
  const { id, role, organisation_id: organisation } = user
  if (organisation === null || (role !== 'admin' && role !== 'superadmin')) return
  if (!(await isLastAdmin(tx, id, organisation))) return
  const { name, others } = await tx
    .selectFrom('organisation')
    .select('name')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('portal_user')
            .select('portal_user.id')
            .where('portal_user.organisation_id', '=', organisation)
            .where('portal_user.id', '<>', id),
        )
        .as('others'),
    )
    .where('organisation.id', '=', organisation)
    .executeTakeFirstOrThrow()
  if (as === 'leaves' && !others) return
  throw conflict(`${name} must keep an admin. Give another user of ${name} the access level admin first.`)
}
