import { sql } from 'kysely'
import { queueOf } from '../../reconcile/claim.ts'
import type { Db, Tx } from '../../db/schema.ts'
import type { Command, MachineRow } from '../../db/schema/machine.ts'
import { type LockedMachine, lockMachines } from './record.ts'

/** A machine that this worker alone works on, as long as its lease lasts and `fence` is the row's. */
export type Claimed = MachineRow

export const machineQueue = queueOf<Claimed>('machine')

/** Writes down that a command is about to be sent; false: the machine is another worker's by now, send nothing. */
export async function markCommand(db: Db, { id, fence }: Claimed, command: Command): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('machine')
    .set({ command, command_at: sql<Date>`portal_now()`, command_accepted: false })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('leased_until', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Does something to the claimed machine's row as it is now; null when the claim is over. */
export function withClaimed<T>(
  db: Db,
  { id, fence }: Claimed,
  work: (tx: Tx, machine: LockedMachine) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const [machine] = await lockMachines(tx, [id])
    return machine?.fence === fence && machine.leased_until !== null ? work(tx, machine) : null
  })
}

/** Gives the machine back, to be taken up again after so many seconds (null: not by itself). */
export async function release(tx: Tx, { id }: Claimed, seconds: number | null): Promise<void> {
  await sql`
    update machine set leased_until = null,
      reconcile_at = portal_now() + make_interval(secs => ${seconds}::float8)
    where id = ${id} and terminated_at is null`.execute(tx)
}
