import { sql } from 'kysely'
import { CLASS } from '@trainyard/contract/words/classroom.ts'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import { requireUnderSpendingCap } from '../../money/budget/spending-cap.ts'
import { lockMachines } from '../machine/record.ts'
import { viewOf } from '../machine/view.ts'
import { setDesiredPower } from '../machine/desired-power.ts'
import { secondsUsed } from '../../money/meter/used.ts'
import { idleSince, activityJoins } from './idle.ts'

interface PowerResult {
  readonly message: string
  readonly machines: number
}

/** @throws Problem conflict if a spending cap applies to the training */
export async function startStopped(tx: Tx, training: TrainingId): Promise<PowerResult> {
  await requireUnderSpendingCap(tx, [training])
  const { rows } = await sql<{ id: MachineId }>`
    select id from machine where training_id = ${training} and terminated_at is null and desired = 'stopped'`.execute(
    tx,
  )
  const count = await setDesiredWhereAllowed(tx, rows, 'running')
  return { message: count === 0 ? CLASS.noneToStart : CLASS.started(count), machines: count }
}

export async function stopIdleNow(tx: Tx, training: TrainingId, minutes: number): Promise<PowerResult> {
  const running = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training)
    .where('desired', '=', 'running')
    .execute()
  // Lock first and check afterwards, so that a learner's confirmation is respected until the last moment.
  await lockMachines(
    tx,
    running.map(({ id }) => id),
  )
  const { rows } = await sql<{ id: MachineId }>`
    select m.id from machine m ${activityJoins}
    where m.training_id = ${training} and m.desired = 'running'
      and ${idleSince} <= portal_now() - make_interval(mins => ${minutes})`.execute(tx)
  const count = await setDesiredWhereAllowed(tx, rows, 'stopped')
  return { message: count === 0 ? CLASS.noneIdle(minutes) : CLASS.stopped(count), machines: count }
}

async function setDesiredWhereAllowed(
  tx: Tx,
  found: readonly { id: MachineId }[],
  wanted: 'running' | 'stopped',
): Promise<number> {
  const locked = await lockMachines(
    tx,
    found.map(({ id }) => id),
  )
  const used = await secondsUsed(
    tx,
    locked.map(({ id }) => id),
  )
  const may = wanted === 'running' ? can.powerOn : can.powerOff
  const ids = locked
    .filter((row) => may(viewOf({ ...row, seconds: used.get(row.id) ?? 0 }, null)) === true)
    .map(({ id }) => id)
  await setDesiredPower(tx, ids, wanted)
  return ids.length
}
