import type { Tx } from '../../../db/schema.ts'
import type { UserRow } from '../../../db/schema/user.ts'
import { conflict } from '../../../core/errors.ts'

/** Locks the superadmins' rows, so that concurrent changes cannot remove all of them. */
export async function requireAnotherSuperadmin(
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
