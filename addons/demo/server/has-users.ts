import type { Db } from '@trainyard/platform/server/db/schema.ts'

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('portal_user').select('id').limit(1).executeTakeFirst()) !== undefined
