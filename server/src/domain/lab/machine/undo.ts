import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { UNDO_SECONDS } from '@trainyard/contract/words/limits.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict } from '../../../core/errors.ts'
import { requireMayStart } from './billing-rules.ts'
import type { LockedMachine } from './record.ts'
import { machineIds, lockMachinesByName, type SelectedMachine, type MachineRef, trainingIds } from './lock-by-name.ts'
import { setDesiredPower } from './desired-power.ts'

/** Stops machines. Returns the machines whose stop can be undone because they were running. */
export async function stopWithUndo(tx: Tx, machines: readonly SelectedMachine[]): Promise<SelectedMachine[]> {
  const undoable = machines.filter(({ row, view }) => view.isRunning && row.desired === 'running')
  await setDesiredPower(tx, machineIds(machines), 'stopped')
  await delayStop(tx, machineIds(undoable))
  return undoable
}

async function delayStop(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await sql`
    update machine set not_before = portal_now() + make_interval(secs => ${UNDO_SECONDS}),
      reconcile_at = portal_now() + make_interval(secs => ${UNDO_SECONDS})
    where id = any(${machines}::uuid[])`.execute(tx)
  await sql`
    update operation set held_until = portal_now() + make_interval(secs => ${UNDO_SECONDS})
    where machine_id = any(${machines}::uuid[]) and kind = 'stop' and closed_at is null`.execute(tx)
}

/**
 * Undoes the stop of all given machines, or of none of them.
 * @throws Problem conflict if a stop was already sent, or if a spending cap applies
 */
export async function undoStop(tx: Tx, actor: Actor, refs: readonly MachineRef[]): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, () => true)
  for (const { row } of machines) {
    const reason = whyTooLate(row)
    if (reason !== null) throw conflict(reason)
  }
  await requireMayStart(tx, actor, trainingIds(machines))
  await setDesiredPower(tx, machineIds(machines), 'running')
  const [only, ...extra] = machines
  return extra.length === 0 ? `${only!.row.name} keeps running.` : `${machines.length} machines keep running.`
}

function whyTooLate({ name, desired, observed, not_before }: LockedMachine): string | null {
  if (not_before !== null && observed === 'running') return null
  return desired === 'stopped' ? `It is too late to undo: ${name} is being stopped.` : `${name} is not being stopped.`
}
