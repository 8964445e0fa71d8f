import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import { sessionsChanged } from '../../../core/session-changes.ts'
import type { Tx } from '../../../db/schema.ts'

/**
 * Gives a user another role. Returns false if the user already has it.
 * @param former role that the user must still have; undefined: any
 */
export async function setRole(tx: Tx, user: UserId, role: Role, former?: Role): Promise<boolean> {
  const changed = await tx
    .updateTable('portal_user')
    .set({ role, role_since: sql<Date>`portal_now()` })
    .where('id', '=', user)
    .where('role', '<>', role)
    .$if(former !== undefined, (query) => query.where('role', '=', former!))
    .returning('id')
    .executeTakeFirst()
  if (changed === undefined) return false
  await sessionsChanged(tx)
  return true
}
