import { sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict, Problem } from '../../../core/errors.ts'

/** What is allotted to a machine is counted in seconds, in an integer. */
const COUNTABLE = Math.floor((2 ** 31 - 1) / 60)
const MACHINE_QUOTA_MAX = `increaseBy must leave each machine with at most ${Math.floor(COUNTABLE / 60).toLocaleString('en-IN')} hours: increase by less.`

/**
 * Shares minutes out over a training's live machines that have a limit: evenly, and what is left over a minute each
 * to the first. A machine that runs now may run as much longer. What was stopped for its quota may be started again.
 * @throws Problem conflict when no live machine has a limit
 */
export async function increaseQuota(tx: Tx, training: TrainingId, minutes: number): Promise<void> {
  const { rows } = await sql<{ id: MachineId; allotted_minutes: number }>`
    select id, allotted_minutes from machine
    where training_id = ${training} and allotted_minutes is not null and terminated_at is null and desired <> 'gone'
    order by id for update`.execute(tx)
  if (rows.length === 0) throw conflict('No live machine of this training has a quota to increase.')
  const shares = shareOut(minutes, rows.length)
  if (rows.some(({ allotted_minutes }, i) => allotted_minutes + shares[i]! > COUNTABLE)) {
    throw new Problem('invalid', MACHINE_QUOTA_MAX)
  }
  await sql`
    update machine m set allotted_minutes = m.allotted_minutes + share.minutes
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${shares}::integer[]) as share (id, minutes)
    where m.id = share.id`.execute(tx)
}

/** So many whole parts of a whole: as even as can be, the greater ones first. */
export function shareOut(whole: number, parts: number): number[] {
  const even = Math.floor(whole / parts)
  return Array.from({ length: parts }, (_, i) => even + (i < whole % parts ? 1 : 0))
}
