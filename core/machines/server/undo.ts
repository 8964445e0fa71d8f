import type { MachineRef } from '../contract/machine-ref.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { START_UNDO_SECONDS, UNDO_SECONDS } from '@trainyard/platform/contract/words/limits.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { requireMayStart } from './may-start.ts'
import { machineIds, lockMachinesByName, type SelectedMachine, trainingIds } from './lock-by-name.ts'
import { setDesiredPower } from './desired-power.ts'
import { delayMachines, delayOperations, planAgain, type LockedMachine } from './queries.ts'

/** Stops machines. Returns the machines whose stop can be undone because they were running. */
export async function stopWithUndo(tx: Tx, machines: readonly SelectedMachine[]): Promise<SelectedMachine[]> {
  const undoable = machines.filter(({ row, view }) => view.isRunning && row.desired === 'running')
  await setDesiredPower(tx, machineIds(machines), 'stopped')
  await delay(tx, machineIds(undoable), UNDO_SECONDS)
  return undoable
}

/** Starts machines. Returns the machines whose start can be undone because nothing was in progress for them. */
export async function startWithUndo(tx: Tx, machines: readonly SelectedMachine[]): Promise<SelectedMachine[]> {
  const undoable = machines.filter(({ row }) => row.desired === 'stopped' && isOff(row))
  await setDesiredPower(tx, machineIds(machines), 'running')
  await delay(tx, machineIds(undoable), START_UNDO_SECONDS)
  return undoable
}

const isOff = ({ observed, command, reset_asked_at }: LockedMachine) =>
  (observed === 'stopped' || observed === 'absent') && command === null && reset_asked_at === null

async function delay(tx: Tx, machines: readonly MachineId[], seconds: number): Promise<void> {
  await delayMachines(tx, seconds, machines)
  await delayOperations(tx, seconds, machines)
}

/**
 * Undoes the stop or start of all given machines, or of none of them.
 * @throws Problem conflict if a command was already sent, or if a spending cap applies
 */
export async function undoPower(tx: Tx, actor: Actor, refs: readonly MachineRef[]): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, () => true)
  for (const { row } of machines) {
    const reason = whyTooLate(row)
    if (reason !== null) throw conflict(reason)
  }
  const stopped = machines.filter(({ row }) => row.desired === 'stopped')
  const started = machines.filter(({ row }) => row.desired !== 'stopped')
  if (stopped.length > 0) await requireMayStart(tx, actor, trainingIds(stopped))
  await setDesiredPower(tx, machineIds(stopped), 'running')
  await setDesiredPower(tx, machineIds(started), 'stopped')
  // A machine that does not exist yet is planned again, otherwise it would be created to be stopped.
  await planAgain(tx, machineIds(started))
  return [sentence(stopped, 'keeps running', 'keep running'), sentence(started, 'is not started', 'are not started')]
    .filter((part) => part !== '')
    .join(' ')
}

function sentence(machines: readonly SelectedMachine[], does: string, doSo: string): string {
  const [only, ...others] = machines
  if (only === undefined) return ''
  return others.length === 0 ? `${only.row.name} ${does}.` : `${machines.length} machines ${doSo}.`
}

function whyTooLate(machine: LockedMachine): string | null {
  const { name, desired, observed, not_before } = machine
  if (observed === 'running') {
    if (desired !== 'stopped') return `${name} is not being stopped.`
    return not_before === null ? `It is too late to undo: ${name} is being stopped.` : null
  }
  if (desired === 'running') {
    return not_before === null || !isOff(machine) ? `It is too late to undo: ${name} is being started.` : null
  }
  return isOff(machine) ? `${name} is not being started.` : `It is too late to undo: ${name} is being stopped.`
}
