import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { classroom } from '../contract/classroom.ts'
import { CLASS } from '../contract/classroom-words.ts'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { can, type MachineActionFacts } from '@trainyard/machines/contract/machine-words.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import { rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { requireMayStart } from '@trainyard/machines/server/may-start.ts'
import { machineRef, type MachineRef } from '@trainyard/machines/contract/machine-ref.ts'
import type { SelectedMachine } from '@trainyard/machines/server/lock-by-name.ts'
import { lockMachines } from '@trainyard/machines/server/record.ts'
import { startWithUndo, stopWithUndo } from '@trainyard/machines/server/undo.ts'
import { viewOf } from '@trainyard/machines/server/view.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import { nextOpening, windowOf } from '@trainyard/trainings/server/window.ts'
import { selectPricesOfStopped, selectNextStart, selectStoppedMachines, selectIdleMachines } from './queries.ts'
import { iso, seatsOf } from './rows.ts'

interface PowerResult {
  readonly message: string
  readonly machines: number
  readonly undoable: MachineRef[]
}

/** Returns what `startStopped` would start, what it costs an hour, and when the class starts. */
export async function startable(
  db: Db,
  actor: Pick<Actor, 'role'>,
  { id: training }: { readonly id: TrainingId },
): Promise<ReplyOf<typeof classroom.startable>> {
  const { rows } = await selectPricesOfStopped(db, training)
  const prices = new Map(rows.map(({ id, price }) => [id as string, price]))
  const seats = await seatsOf(
    db,
    training,
    rows.map(({ id }) => id),
  )
  const { timeZone, inSession, open } = await windowOf(db, training)
  const next = await selectNextStart(db, training)
  const opening = open ? null : await nextOpening(db, training)
  return {
    machines: seats
      .filter(({ machine }) => can.powerOn(machine) === true)
      .map(({ machine }) => ({
        name: machine.name,
        planned: machine.status === 'Planned',
        hourlyPrice: actor.role === 'user' ? null : rupeesOfPaise(prices.get(machine._id)!),
      })),
    classAt: inSession ? null : iso(next.rows[0]!.at ?? opening?.startsAt ?? null),
    timeZone,
  }
}

/** @throws Problem conflict if a spending cap applies to the training */
export async function startStopped(tx: Tx, actor: Pick<Actor, 'role'>, training: TrainingId): Promise<PowerResult> {
  await requireMayStart(tx, actor, [training])
  const { rows } = await selectStoppedMachines(tx, training)
  const machines = await selectAllowed(tx, rows, can.powerOn)
  const undoable = await startWithUndo(tx, machines)
  return resultOf(machines, undoable, { some: CLASS.started, none: CLASS.noneToStart })
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
  const { rows } = await selectIdleMachines(tx, training, minutes)
  return stopUndoably(tx, rows, { some: CLASS.stopped, none: CLASS.noneIdle(minutes) })
}

export async function stopAll(tx: Tx, training: TrainingId): Promise<PowerResult> {
  const running = await tx
    .selectFrom('machine')
    .select('id')
    .where('training_id', '=', training)
    .where('desired', '=', 'running')
    .execute()
  return stopUndoably(tx, running, { some: CLASS.stoppedAll, none: CLASS.noneToStop })
}

/** Stops machines of a class. Like Power Off, the stop can be undone for some seconds. */
async function stopUndoably(tx: Tx, found: readonly { id: MachineId }[], words: ResultWords): Promise<PowerResult> {
  const machines = await selectAllowed(tx, found, can.powerOff)
  return resultOf(machines, await stopWithUndo(tx, machines), words)
}

interface ResultWords {
  readonly some: (count: number) => string
  readonly none: string
}

function resultOf(
  { length: count }: readonly SelectedMachine[],
  undoable: readonly SelectedMachine[],
  words: ResultWords,
): PowerResult {
  return {
    message: count === 0 ? words.none : words.some(count),
    machines: count,
    undoable: undoable.map(({ row }) => machineRef(row.name, row.place_group)),
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
