import type { Db } from '../db/schema.ts'

/** Returns true when the portal has anybody: then the demo world is not made. */
export const isInhabited = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('portal_user').select('id').limit(1).executeTakeFirst()) !== undefined
