import { can } from '@trainyard/contract/words/machine.ts'
import { POWER_WAIT_SECONDS } from '@trainyard/contract/words/limits.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { refuseLeashed } from '../../money/budget/leash.ts'
import { idsOf, named, type Place, trainingsOf } from './named.ts'
import { stopUndoably } from './undo.ts'
import { want, wantRestart } from './wake.ts'

/** Starts or stops all the machines named, or none; answers the sentence to show. */
export async function power(
  tx: Tx,
  actor: Actor,
  { operation, undoable = false }: { readonly operation: 0 | 1; readonly undoable?: boolean | undefined },
  places: readonly Place[],
): Promise<string> {
  const machines = await named(tx, actor, places, operation === 1 ? can.powerOn : can.powerOff)
  if (operation === 1) await refuseLeashed(tx, trainingsOf(machines))
  if (operation === 0 && undoable) await stopUndoably(tx, machines)
  else await want(tx, idsOf(machines), operation === 1 ? 'running' : 'stopped')
  const seconds = machines.length * POWER_WAIT_SECONDS
  return operation === 1 ? ALERTS.powerStarted(seconds) : ALERTS.powerStopped(seconds)
}

/** Restarts all the machines named, or none; answers the sentence to show. */
export async function restart(tx: Tx, actor: Actor, places: readonly Place[]): Promise<string> {
  const machines = await named(tx, actor, places, can.restart)
  await refuseLeashed(tx, trainingsOf(machines))
  await wantRestart(tx, idsOf(machines))
  return `VM Restart in Process, Please wait for ${machines.length * POWER_WAIT_SECONDS} secs before trying again`
}
