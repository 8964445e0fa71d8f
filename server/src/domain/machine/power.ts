import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { can, type MachineView, type May } from '@trainyard/contract/words/machine.ts'
import { POWER_WAIT_SECONDS } from '@trainyard/contract/words/limits.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { Tx } from '../../db/schema.ts'
import type { Actor } from '../../core/actor.ts'
import { notFound, conflict } from '../../core/errors.ts'
import { secondsUsed } from '../meter/used.ts'
import { machinesInScope } from '../training/scope.ts'
import { refuseOutsideWindow } from '../training/window.ts'
import { lockMachines } from './record.ts'
import { viewOf } from './view.ts'
import { want, wantRestart } from './wake.ts'

interface Place {
  readonly name: string
  readonly resourceGroup: string
}

/** Starts or stops all the machines named, or none; answers the sentence to show. */
export async function power(tx: Tx, actor: Actor, operation: 0 | 1, places: readonly Place[]): Promise<string> {
  const machines = await named(tx, actor, places)
  refuseUnless(machines, operation === 1 ? can.powerOn : can.powerOff)
  await want(tx, idsOf(machines), operation === 1 ? 'running' : 'stopped')
  const seconds = machines.length * POWER_WAIT_SECONDS
  return operation === 1 ? ALERTS.powerStarted(seconds) : ALERTS.powerStopped(seconds)
}

/** Restarts all the machines named, or none; answers the sentence to show. */
export async function restart(tx: Tx, actor: Actor, places: readonly Place[]): Promise<string> {
  const machines = await named(tx, actor, places)
  refuseUnless(machines, can.restart)
  await wantRestart(tx, idsOf(machines))
  return `VM Restart in Process, Please wait for ${machines.length * POWER_WAIT_SECONDS} secs before trying again`
}

/**
 * The machines named, each once, locked; what is foreign, not there, or in another resource group than said refuses all.
 * @throws Problem notFound, or forbidden to a user outside the access window
 */
async function named(tx: Tx, actor: Actor, places: readonly Place[]): Promise<Machine[]> {
  const groups = new Map(places.map(({ name, resourceGroup }) => [name, resourceGroup]))
  const found = await machinesInScope(tx, actor)
    .select('id')
    .where('name', 'in', [...groups.keys()])
    .execute()
  const rows = await lockMachines(
    tx,
    found.map(({ id }) => id),
  )
  const inPlace = new Map(rows.map((row) => [row.name, row.resource_group]))
  if (!places.every(({ name, resourceGroup }) => inPlace.get(name) === resourceGroup)) throw notFound('machine')
  await refuseOutsideWindow(
    tx,
    actor,
    rows.map((row) => row.training_id),
  )
  const used = await secondsUsed(
    tx,
    rows.map(({ id }) => id),
  )
  const views = new Map(rows.map((row) => [row.name, viewOf({ ...row, seconds: used.get(row.id) ?? 0 }, null)]))
  return [...groups.keys()].map((name) => views.get(name)!)
}

const idsOf = (machines: readonly Machine[]) => machines.map(({ _id }) => _id as MachineId)

/** @throws Problem conflict with the sentence that says why not */
function refuseUnless(machines: readonly Machine[], may: (machine: MachineView) => May): void {
  for (const machine of machines) {
    const sentence = may(machine)
    if (sentence !== true) throw conflict(sentence)
  }
}
