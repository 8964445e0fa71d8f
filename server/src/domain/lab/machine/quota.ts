import { sql } from 'kysely'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import { MACHINE_DUE } from './wake.ts'

/** Machines that are to run, and have used their minutes up. */
const usedUp = sql`quota_ends_at <= portal_now() and desired = 'running'`

/** True in SQL while a machine has used its allotted minutes up and is to run all the same; else null. */
export const USED_UP = sql<boolean>`(
  select true from machine where ${usedUp} order by quota_ends_at limit 1)`

/** Has every machine stopped that has used its allotted minutes up; answers how many. */
export async function stopUsedUp(tx: Tx): Promise<number> {
  const { rows } = await sql`
    update machine set desired = 'stopped', restart_asked_at = null, generation = generation + 1,
      reconcile_at = portal_now()
    where id in (
      select id from machine where ${usedUp}
      order by id for update skip locked)
    returning id`.execute(tx)
  if (rows.length > 0) await notifyWorkers(tx, MACHINE_DUE)
  return rows.length
}
