import { sql } from 'kysely'
import { CLASS } from '@trainyard/contract/words/classroom.ts'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import { refuseLeashed } from '../../money/budget/leash.ts'
import { lockMachines } from '../machine/record.ts'
import { viewOf } from '../machine/view.ts'
import { want } from '../machine/wake.ts'
import { secondsUsed } from '../../money/meter/used.ts'
import { idleSince, withActivity } from './idle.ts'

interface Done {
  readonly message: string
  readonly machines: number
}

/**
 * Starts every machine of a training that is stopped and may be started.
 * @throws Problem conflict where a leash holds the training
 */
export async function startStopped(tx: Tx, training: TrainingId): Promise<Done> {
  await refuseLeashed(tx, [training])
  const { rows } = await sql<{ id: MachineId }>`
    select id from machine where training_id = ${training} and terminated_at is null and desired = 'stopped'`.execute(
    tx,
  )
  const count = await wantOf(tx, rows, 'running')
  return { message: count === 0 ? CLASS.noneToStart : CLASS.started(count), machines: count }
}

/** Stops every machine of a training that nobody has used for so many minutes. */
export async function stopIdleNow(tx: Tx, training: TrainingId, minutes: number): Promise<Done> {
  const running = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training)
    .where('desired', '=', 'running')
    .execute()
  // Held before they are judged: a learner who says that they are here is heard until then.
  await lockMachines(
    tx,
    running.map(({ id }) => id),
  )
  const { rows } = await sql<{ id: MachineId }>`
    select m.id from machine m ${withActivity}
    where m.training_id = ${training} and m.desired = 'running'
      and ${idleSince} <= portal_now() - make_interval(mins => ${minutes})`.execute(tx)
  const count = await wantOf(tx, rows, 'stopped')
  return { message: count === 0 ? CLASS.noneIdle(minutes) : CLASS.stopped(count), machines: count }
}

/** As by the buttons of each; those for which there would be none are left alone. */
async function wantOf(tx: Tx, found: readonly { id: MachineId }[], wanted: 'running' | 'stopped'): Promise<number> {
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
  await want(tx, ids, wanted)
  return ids.length
}
