import { isDeepStrictEqual } from 'node:util'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Machine } from '../contract/machine.ts'
import { machineRef, type MachineRef, refOf } from '../contract/machine-ref.ts'
import type { MachineActionFacts } from '../contract/machine-words.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, conflict } from '@trainyard/platform/server/core/errors.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import { machinesToCommand } from '@trainyard/trainings/server/scope.ts'
import { refuseOutsideWindow } from '@trainyard/trainings/server/window.ts'
import type { LockedMachine } from './queries.ts'
import { lockMachines } from './record.ts'
import { viewOf } from './view.ts'

export interface SelectedMachine {
  readonly row: LockedMachine
  readonly view: Machine
}

/**
 * Locks all named machines, or none of them. Users may command their own machines and the machines of classes they
 * lead.
 * @throws Problem notFound; forbidden outside the access window; conflict with the reason
 */
export async function lockMachinesByName(
  tx: Tx,
  actor: Actor,
  refs: readonly MachineRef[],
  may: (machine: MachineActionFacts) => TrueOrReason,
  scope: typeof machinesToCommand = machinesToCommand,
): Promise<SelectedMachine[]> {
  const names = [...new Set(refs.map(({ name }) => name))]
  const found = await scope(tx, actor).select('id').where('name', 'in', names).execute()
  const rows = await lockMachines(
    tx,
    found.map(({ id }) => id),
  )
  const byName = new Map(rows.map((row) => [row.name, row]))
  const isFound = (ref: MachineRef) => {
    const row = byName.get(ref.name)
    return row !== undefined && isDeepStrictEqual(machineRef(row.name, row.place_group), refOf(ref))
  }
  if (!refs.every(isFound)) throw notFound('machine')
  await refuseOutsideWindow(
    tx,
    actor,
    rows.map((row) => row.training_id),
  )
  const used = await secondsUsed(
    tx,
    rows.map(({ id }) => id),
  )
  return names.map((name) => {
    const row = byName.get(name)!
    const view = viewOf({ ...row, seconds: used.get(row.id) ?? 0 }, null)
    const reason = may(view)
    if (reason !== true) throw conflict(reason)
    return { row, view }
  })
}

export const machineIds = (machines: readonly SelectedMachine[]): MachineId[] => machines.map(({ row }) => row.id)

export const trainingIds = (machines: readonly SelectedMachine[]): TrainingId[] =>
  machines.map(({ row }) => row.training_id)
