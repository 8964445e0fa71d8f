import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { INVARIANTS } from './queries.ts'
import { SCHEDULE_INVARIANTS } from './schedule-queries.ts'

export interface Broken {
  readonly name: string
  readonly says: string
  readonly rows: readonly unknown[]
}

/** The invariants that do not hold just now; those of quiet times only when `quiet`. */
export async function brokenInvariants(db: Db, options: { readonly quiet: boolean }): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const { name, says, when, query } of [...INVARIANTS, ...SCHEDULE_INVARIANTS]) {
    if (when === 'quiet' && !options.quiet) continue
    const { rows } = await sql.raw(query).execute(db)
    if (rows.length > 0) broken.push({ name, says, rows: rows.slice(0, 5) })
  }
  return broken
}
