import { can } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { machineIds, lockMachinesByName, type MachineRef } from './named.ts'
import { setDesiredPower } from './wake.ts'

/** Terminated machines stay listed with their runs, because their cost is still owed. */
export async function removeMachines(tx: Tx, actor: Actor, refs: readonly MachineRef[]): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, can.remove)
  await setDesiredPower(tx, machineIds(machines), 'gone')
  const [only, ...more] = machines
  return more.length === 0
    ? `${only!.row.name} is being deleted. Its bill stays.`
    : `${machines.length} machines are being deleted. Their bills stay.`
}
