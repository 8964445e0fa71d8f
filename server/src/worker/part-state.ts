import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Writes down whether a part that only workers talk to was reached: what /health tells. */
export async function notePart(db: Db, part: 'cloud' | 'mail', up: boolean): Promise<void> {
  await db
    .insertInto('part_state')
    .values({ part, up, seen_at: sql<Date>`portal_now()` })
    .onConflict((on) => on.column('part').doUpdateSet({ up, seen_at: sql<Date>`portal_now()` }))
    .execute()
}
