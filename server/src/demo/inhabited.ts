import type { Db } from '../db/schema.ts'

/** Returns true if the portal has any user. Then no demo data is created. */
export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('portal_user').select('id').limit(1).executeTakeFirst()) !== undefined
