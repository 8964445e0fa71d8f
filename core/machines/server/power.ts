import type { MachineRef } from '../contract/machine-ref.ts'
import { can } from '../contract/machine-words.ts'
import { POWER_WAIT_SECONDS } from '@trainyard/platform/contract/words/limits.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { requireMayStart } from './may-start.ts'
import { ownMachinesEmail } from '@trainyard/trainings/server/scope.ts'
import { machineIds, lockMachinesByName, type SelectedMachine, trainingIds } from './lock-by-name.ts'
import { startWithUndo, stopWithUndo } from './undo.ts'
import { setDesiredPower, requestRestart } from './desired-power.ts'
import { selectNotStartable } from './queries.ts'

/** Why a machine must not be powered on; null if all may be. */
export const refusedStart = hook<readonly SelectedMachine[], string | null>(
  'machines.refusedStart',
  null,
  (first, second) => first ?? second,
)

export async function power(
  tx: Tx,
  actor: Actor,
  { operation, undo }: { readonly operation: 0 | 1; readonly undo: boolean },
  refs: readonly MachineRef[],
): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, operation === 1 ? can.powerOn : can.powerOff)
  if (operation === 1) {
    const refusal = await ask(tx, refusedStart, machines)
    if (refusal !== null) throw conflict(refusal)
    await refuseEarlyStart(tx, actor, machines)
    await requireMayStart(tx, actor, trainingIds(machines))
  }
  if (operation === 0 && undo) await stopWithUndo(tx, machines)
  else if (operation === 1 && undo && machines.length > 1) await startWithUndo(tx, machines)
  else await setDesiredPower(tx, machineIds(machines), operation === 1 ? 'running' : 'stopped')
  const seconds = machines.length * POWER_WAIT_SECONDS
  return operation === 1 ? ALERTS.powerStarted(seconds) : ALERTS.powerStopped(seconds)
}

/** @throws Problem conflict if a learner must wait for the planned time of a machine */
async function refuseEarlyStart(tx: Tx, actor: Actor, machines: readonly SelectedMachine[]): Promise<void> {
  const learner = ownMachinesEmail(actor)
  if (learner === null) return
  const { rows } = await selectNotStartable(tx, machineIds(machines), learner)
  const waiting = machines.find(({ view }) => view.name === rows[0]?.name)
  const may = waiting === undefined ? true : can.powerOn({ ...waiting.view, earlyStart: false })
  if (may !== true) throw conflict(may)
}

export async function restart(tx: Tx, actor: Actor, refs: readonly MachineRef[]): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, can.restart)
  await requireMayStart(tx, actor, trainingIds(machines))
  await requestRestart(tx, machineIds(machines))
  return `VM Restart in Process, Please wait for ${machines.length * POWER_WAIT_SECONDS} secs before trying again`
}
