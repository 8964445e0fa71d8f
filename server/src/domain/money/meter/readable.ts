import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound } from '../../../core/errors.ts'
import { machinesInScope } from '../../lab/training/scope.ts'
import { refuseOutsideWindow } from '../../lab/training/window.ts'

/**
 * Returns a machine whose usage the actor may read: users read their own machines, admins all machines of their
 * organisation.
 * @throws Problem notFound; forbidden outside the access window
 */
export async function readableMachine(
  db: Db,
  actor: Actor,
  vmName: string,
  scope: typeof machinesInScope = machinesInScope,
): Promise<MachineId> {
  const machine = await scope(db, actor).select(['id', 'training_id']).where('name', '=', vmName).executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  await refuseOutsideWindow(db, actor, [machine.training_id])
  return machine.id
}
