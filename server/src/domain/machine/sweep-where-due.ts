import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { Cloud } from '../../providers/cloud.ts'
import { sweep, type SweepScope } from './sweep.ts'

/**
 * Looks at everything where that is due, else at the states of machines where some are on their way; null where neither
 * is, and nothing was asked.
 * @param wholeEvery seconds between looks at everything
 */
export async function sweepWhereDue(
  db: Db,
  cloud: Cloud,
  wholeEvery: number,
  signal: AbortSignal,
): Promise<SweepScope | null> {
  const { rows } = await sql<{ whole: boolean; changing: boolean }>`
    select due_at <= portal_now() as whole, exists (select from machine where observed = 'changing') as changing
    from whole_sweep`.execute(db)
  const { whole, changing } = rows[0]!
  if (!whole && !changing) return null
  const scope = whole ? 'everything' : 'states'
  await sweep(db, cloud, scope, signal)
  // Counted from its end. One that failed is due still.
  if (whole) await sql`update whole_sweep set due_at = portal_now() + make_interval(secs => ${wholeEvery})`.execute(db)
  return scope
}
