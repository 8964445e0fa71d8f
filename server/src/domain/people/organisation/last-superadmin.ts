import type { Tx } from '../../../db/schema.ts'
import type { UserRow } from '../../../db/schema/user.ts'
import { conflict } from '../../../core/errors.ts'

/**
 * Refuses a change that would leave the portal without a superadmin. The superadmins' rows stay locked until the
 * transaction ends, so that two of them can't be the end of each other.
 */
export async function keepASuperadmin(
  tx: Tx,
  goes: (user: Pick<UserRow, 'id' | 'organisation_id'>) => boolean,
  sentence = 'The last superadmin can not be deleted.',
): Promise<void> {
  const superadmins = await tx
    .selectFrom('portal_user')
    .select(['id', 'organisation_id'])
    .where('role', '=', 'superadmin')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (superadmins.some(goes) && superadmins.every(goes)) throw conflict(sentence)
}
