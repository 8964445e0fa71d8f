import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { selectIsControlRelated } from './queries.ts'

/**
 * Records that a superadmin created or promoted a user or reset their second factors. The superadmin could use such
 * a user to confirm an own request.
 */
export async function recordControl(
  tx: Tx,
  user: UserId,
  by: UserId,
  reason: 'created' | 'promoted' | 'reset',
): Promise<void> {
  if (user === by) return
  await tx
    .insertInto('account_control')
    .values({ user_id: user, controlled_by: by, reason })
    .onConflict((on) => on.doNothing())
    .execute()
}

/**
 * Returns true if one of two users could control the other, or if a third user created or promoted both, directly
 * or through other users. These users may have been deleted since.
 */
export async function isControlRelated(tx: Tx, first: UserId, second: UserId): Promise<boolean> {
  const { rows } = await selectIsControlRelated(tx, first, second)
  return rows.length > 0
}
