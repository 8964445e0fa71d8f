import { sql } from 'kysely'
import type { Db } from '../server/db/schema.ts'

/** Sets the database clock of the portal: fixed at an instant, or some seconds ahead of real time. */
export async function setPortalClock(owner: Db, to: Date | { readonly ahead: number }): Promise<void> {
  const now = to instanceof Date ? `timestamptz '${to.toISOString()}'` : `now() + interval '${to.ahead} seconds'`
  await sql
    .raw(`create or replace function portal_now() returns timestamptz language sql stable parallel safe return ${now}`)
    .execute(owner)
}
