import { sql } from 'kysely'
import type { Db, Tx } from '../../db/schema.ts'
import type { Command, MachineRow } from '../../db/schema/machine.ts'
import { type LockedMachine, lockMachines } from './record.ts'

/** A machine that this worker alone works on, as long as its lease lasts and `fence` is the row's. */
export type Claimed = MachineRow

/** Takes up to `count` machines that are due, each for this worker alone. */
export async function claimDue(db: Db, count: number, leaseSeconds: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select id from machine
      where reconcile_at <= portal_now() and (leased_until is null or leased_until <= portal_now())
      order by reconcile_at limit ${count} for update skip locked)
    update machine m set fence = fence + 1, leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
    from due where m.id = due.id returning m.*`.execute(db)
  return rows
}

/** Prolongs the leases that are still held; answers the ids of those that are. */
export async function keepLeases(db: Db, held: readonly Claimed[], leaseSeconds: number): Promise<Set<string>> {
  if (held.length === 0) return new Set()
  // Locked in the order of their ids, as by all who wait for several: else two might wait for each other.
  const { rows } = await sql<{ id: string }>`
    with mine as (
      select m.id from machine m
      join unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ fence }) => fence)}::bigint[])
        as held (id, fence) on m.id = held.id and m.fence = held.fence
      where m.leased_until is not null order by m.id for update of m)
    update machine m set leased_until = portal_now() + make_interval(secs => ${leaseSeconds})
    from mine where m.id = mine.id returning m.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Milliseconds until the next machine is due or can be taken over; null: none will be by itself. */
export async function untilDue(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(reconcile_at, leased_until)) - portal_now()) * 1000)::float8 as ms
    from machine where reconcile_at is not null`.execute(db)
  return rows[0]?.ms ?? null
}

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
