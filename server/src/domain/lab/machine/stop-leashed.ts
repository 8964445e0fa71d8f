import { sql } from 'kysely'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import { isLeashed } from '../../money/budget/leash.ts'
import { MACHINE_DUE } from './wake.ts'

/** Machines that are to run and that a leash keeps off. */
const leashed = sql`organisation_id in (select organisation_id from budget where leashed_at is not null)
  and desired = 'running' and terminated_at is null and ${isLeashed}`

/** True in SQL while a leash keeps a machine off that is to run. */
export const LEASHED = sql<boolean>`exists (select from machine where ${leashed})`

/** Has every machine stopped that a budget's leash keeps off; answers how many. */
export async function stopLeashed(tx: Tx): Promise<number> {
  const { rows } = await sql`
    update machine set desired = 'stopped', restart_asked_at = null, generation = generation + 1,
      reconcile_at = portal_now()
    where id in (
      select machine.id from machine where ${leashed}
      order by machine.id for update skip locked)
    returning id`.execute(tx)
  if (rows.length > 0) await notifyWorkers(tx, MACHINE_DUE)
  return rows.length
}
