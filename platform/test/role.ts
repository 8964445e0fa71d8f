import type { Role } from '../contract/words/role.ts'
import type { Db, Tx } from '../server/db/schema.ts'
import { deactivateUser, setRole } from '@trainyard/users/server/role.ts'

const userBy = (tx: Tx, email: string) =>
  tx.selectFrom('portal_user').select('id').where('email', '=', email).executeTakeFirstOrThrow()

/** Gives the user of an address another role, as any call does that changes roles. */
export const setRoleOf = (db: Db, email: string, role: Role): Promise<unknown> =>
  db.transaction().execute(async (tx) => setRole(tx, (await userBy(tx, email)).id, role))

export const deactivateUserOf = (db: Db, email: string): Promise<void> =>
  db.transaction().execute(async (tx) => deactivateUser(tx, (await userBy(tx, email)).id))
