import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'

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
  const { rows } = await sql`
    with recursive controller as (
      select user_id, controlled_by, reason <> 'reset' as chose from account_control where user_id in (${first}, ${second})
      union
      select controller.user_id, further.controlled_by, controller.chose and further.reason <> 'reset'
      from controller join account_control further on further.user_id = controller.controlled_by)
    select from controller a where user_id = ${first} and controlled_by = ${second}
      or user_id = ${second} and controlled_by = ${first}
      or user_id = ${first} and chose and exists (
        select from controller b where b.user_id = ${second} and b.controlled_by = a.controlled_by and b.chose)
    limit 1`.execute(tx)
  return rows.length > 0
}
