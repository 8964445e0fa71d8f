import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { INVARIANTS } from './queries.ts'
import { SCHEDULE_INVARIANTS } from './schedule-queries.ts'

export interface BrokenInvariant {
  readonly name: string
  readonly description: string
  readonly rows: readonly unknown[]
}

/**
 * Returns the invariants that are violated now. Those that only apply when nothing is changing are included if `quiet`
 * is set.
 */
export async function brokenInvariants(db: Db, options: { readonly quiet: boolean }): Promise<BrokenInvariant[]> {
  const broken: BrokenInvariant[] = []
  for (const { name, description, when, query } of [...INVARIANTS, ...SCHEDULE_INVARIANTS]) {
    if (when === 'quiet' && !options.quiet) continue
    const { rows } = await sql.raw(query).execute(db)
    if (rows.length > 0) broken.push({ name, description, rows: rows.slice(0, 5) })
  }
  return broken
}
