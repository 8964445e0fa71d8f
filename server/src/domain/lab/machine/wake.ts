import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Desired } from '@trainyard/contract/words/machine.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'

/** Workers listen here for machines that are due. */
export const MACHINE_DUE = 'machine_due'

/** Changes what is wanted of machines that are not terminated, and has them taken up at once, whatever failed before. */
export async function want(tx: Tx, machines: readonly MachineId[], desired: Desired): Promise<void> {
  if (machines.length === 0) return
  await sql`
    update machine set desired = ${desired}, not_before = null, restart_asked_at = null,
      reset_asked_at = case when ${desired} <> 'gone' then reset_asked_at end, last_error = null, refused = false, attempts = 0,
      generation = generation + 1, reconcile_at = portal_now()
    where id = any(${machines}::uuid[]) and terminated_at is null and desired <> 'gone'`.execute(tx)
  await notifyWorkers(tx, MACHINE_DUE)
}

/** Asks for one restart of running machines, which run afterwards: also one that could not be stopped as was wanted. */
export async function wantRestart(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  if (machines.length === 0) return
  await sql`
    update machine set desired = 'running', restart_asked_at = portal_now(), last_error = null, refused = false, attempts = 0,
      generation = generation + 1, reconcile_at = portal_now()
    where id = any(${machines}::uuid[]) and terminated_at is null and desired <> 'gone'`.execute(tx)
  await notifyWorkers(tx, MACHINE_DUE)
}
