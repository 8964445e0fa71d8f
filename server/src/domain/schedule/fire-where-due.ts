import type { Db } from '../../db/schema.ts'
import { fireDue, untilNextFires } from './fire.ts'

/** Fires what is due. Answers the seconds until the next schedule is, and at most `most`. */
export async function fireWhereDue(db: Db, most: number): Promise<number> {
  const fired = await db.transaction().execute(fireDue)
  if (fired > 0) return 0
  const next = await untilNextFires(db)
  // A schedule that is still due is at work in another worker just now.
  return next !== null && next > 0 ? Math.min(most, next / 1000) : most
}
