import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { lockMachinesWithQuota, addAllottedMinutes } from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** Maximum quota in minutes. Seconds are counted in a 32-bit integer. */
const QUOTA_MAX_MINUTES = Math.floor((2 ** 31 - 1) / 60)
const MACHINE_QUOTA_MAX = `increaseBy must leave each machine with at most ${Math.floor(QUOTA_MAX_MINUTES / 60).toLocaleString('en-IN')} hours. Choose a smaller increase.`

const NONE_LIMITED = {
  training: 'No live machine of this training has a quota to increase.',
  machine: 'The machine was deleted or has no limit of hours.',
} as const

/**
 * Increases the quota of one machine, or of all machines of a training. The minutes are split evenly, and the first
 * machines get the remainder. Returns the total minutes of these machines before and after. @throws Problem conflict if
 * no live machine has a quota
 */
export async function increaseQuota(
  tx: Tx,
  training: TrainingId,
  minutes: number,
  machine: MachineId | null = null,
): Promise<{ readonly before: number; readonly after: number }> {
  const { rows } = await lockMachinesWithQuota(tx, training, machine)
  if (rows.length === 0) throw conflict(NONE_LIMITED[machine === null ? 'training' : 'machine'])
  const shares = splitEvenly(minutes, rows.length)
  if (rows.some(({ allotted_minutes }, i) => allotted_minutes + shares[i]! > QUOTA_MAX_MINUTES)) {
    throw new Problem('invalid', MACHINE_QUOTA_MAX)
  }
  const ids = rows.map(({ id }) => id)
  await addAllottedMinutes(tx, ids, shares)
  await machinesChanged(tx, ids)
  const before = rows.reduce((sum, { allotted_minutes }) => sum + allotted_minutes, 0)
  return { before, after: before + minutes }
}

export function splitEvenly(total: number, parts: number): number[] {
  const even = Math.floor(total / parts)
  return Array.from({ length: parts }, (_, i) => even + (i < total % parts ? 1 : 0))
}
