import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import { machinesInScope } from '@trainyard/trainings/server/scope.ts'
import { refuseOutsideWindow } from '@trainyard/trainings/server/window.ts'

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
