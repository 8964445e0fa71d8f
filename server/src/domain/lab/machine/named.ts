import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { MachineView, May } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, conflict } from '../../../core/errors.ts'
import { secondsUsed } from '../../money/meter/used.ts'
import { machinesInScope } from '../training/scope.ts'
import { refuseOutsideWindow } from '../training/window.ts'
import { type LockedMachine, lockMachines } from './record.ts'
import { viewOf } from './view.ts'

export interface Place {
  readonly name: string
  readonly resourceGroup: string
}

/** A machine that a command names: its row, locked, and as people see it. */
export interface Named {
  readonly row: LockedMachine
  readonly view: Machine
}

/**
 * The machines named, each once, locked; what is foreign, not there, or in another resource group than said refuses all,
 * and so does one that may not be commanded so now.
 * @throws Problem notFound, or forbidden to a user outside the access window; conflict with the sentence that says why not
 */
export async function named(
  tx: Tx,
  actor: Actor,
  places: readonly Place[],
  may: (machine: MachineView) => May,
): Promise<Named[]> {
  const groups = new Map(places.map(({ name, resourceGroup }) => [name, resourceGroup]))
  const found = await machinesInScope(tx, actor)
    .select('id')
    .where('name', 'in', [...groups.keys()])
    .execute()
  const rows = await lockMachines(
    tx,
    found.map(({ id }) => id),
  )
  const inPlace = new Map(rows.map((row) => [row.name, row]))
  if (!places.every(({ name, resourceGroup }) => inPlace.get(name)?.resource_group === resourceGroup)) {
    throw notFound('machine')
  }
  await refuseOutsideWindow(
    tx,
    actor,
    rows.map((row) => row.training_id),
  )
  const used = await secondsUsed(
    tx,
    rows.map(({ id }) => id),
  )
  return [...groups.keys()].map((name) => {
    const row = inPlace.get(name)!
    const view = viewOf({ ...row, seconds: used.get(row.id) ?? 0 }, null)
    const sentence = may(view)
    if (sentence !== true) throw conflict(sentence)
    return { row, view }
  })
}

export const idsOf = (machines: readonly Named[]): MachineId[] => machines.map(({ row }) => row.id)

export const trainingsOf = (machines: readonly Named[]): TrainingId[] => machines.map(({ row }) => row.training_id)
