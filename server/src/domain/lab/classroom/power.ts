import { sql } from 'kysely'
import { CLASS } from '@trainyard/contract/words/classroom.ts'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { can, type MachineActionFacts, type TrueOrReason } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { requireMayStart } from '../machine/billing-rules.ts'
import { machineIds, type MachineRef, type SelectedMachine } from '../machine/lock-by-name.ts'
import { lockMachines } from '../machine/record.ts'
import { stopWithUndo } from '../machine/undo.ts'
import { viewOf } from '../machine/view.ts'
import { setDesiredPower } from '../machine/desired-power.ts'
import { secondsUsed } from '../../money/meter/used.ts'
import { idleSince, activityJoins } from './idle.ts'

interface PowerResult {
  readonly message: string
  readonly machines: number
  readonly undoable?: MachineRef[]
}

/** @throws Problem conflict if a spending cap applies to the training */
export async function startStopped(tx: Tx, actor: Pick<Actor, 'role'>, training: TrainingId): Promise<PowerResult> {
  await requireMayStart(tx, actor, [training])
  const { rows } = await sql<{ id: MachineId }>`
    select id from machine where training_id = ${training} and terminated_at is null and desired = 'stopped'
      and withheld_at is null`.execute(tx)
  const machines = await selectAllowed(tx, rows, can.powerOn)
  await setDesiredPower(tx, machineIds(machines), 'running')
  const count = machines.length
  return { message: count === 0 ? CLASS.noneToStart : CLASS.started(count), machines: count }
}

export async function stopIdleNow(tx: Tx, training: TrainingId, minutes: number): Promise<PowerResult> {
  const running = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training)
    .where('desired', '=', 'running')
    .execute()
  // The machines are locked before they are checked, so that a learner can confirm presence until the last moment.
  await lockMachines(
    tx,
    running.map(({ id }) => id),
  )
  const { rows } = await sql<{ id: MachineId }>`
    select m.id from machine m ${activityJoins}
    where m.training_id = ${training} and m.desired = 'running'
      and ${idleSince} <= portal_now() - make_interval(mins => ${minutes})`.execute(tx)
  const machines = await selectAllowed(tx, rows, can.powerOff)
  await setDesiredPower(tx, machineIds(machines), 'stopped')
  const count = machines.length
  return { message: count === 0 ? CLASS.noneIdle(minutes) : CLASS.stopped(count), machines: count }
}

/** Stops all machines of a class. Like Power Off, the stop can be undone for some seconds. */
export async function stopAll(tx: Tx, training: TrainingId): Promise<PowerResult> {
  const running = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training)
    .where('desired', '=', 'running')
    .execute()
  const machines = await selectAllowed(tx, running, can.powerOff)
  const undoable = await stopWithUndo(tx, machines)
  const count = machines.length
  return {
    message: count === 0 ? CLASS.noneToStop : CLASS.stoppedAll(count),
    machines: count,
    undoable: undoable.map(({ row }) => ({ name: row.name, resourceGroup: row.resource_group })),
  }
}

/** Locks the machines and returns those for which the action is allowed now. */
async function selectAllowed(
  tx: Tx,
  found: readonly { id: MachineId }[],
  may: (machine: MachineActionFacts) => TrueOrReason,
): Promise<SelectedMachine[]> {
  const locked = await lockMachines(
    tx,
    found.map(({ id }) => id),
  )
  const used = await secondsUsed(
    tx,
    locked.map(({ id }) => id),
  )
  return locked
    .map((row) => ({ row, view: viewOf({ ...row, seconds: used.get(row.id) ?? 0 }, null) }))
    .filter(({ view }) => may(view) === true)
}
