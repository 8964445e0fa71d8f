import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound } from '../../../core/errors.ts'
import { machinesInScope } from '../../lab/training/scope.ts'
import { refuseOutsideWindow } from '../../lab/training/window.ts'

/**
 * The machine whose runs somebody wants to read: a user their own, an admin their organisation's.
 * @throws Problem notFound when the machine is not there or out of scope, forbidden to a user outside the access window
 */
export async function machineToRead(db: Db, actor: Actor, vmName: string): Promise<MachineId> {
  const machine = await machinesInScope(db, actor)
    .select(['id', 'training_id'])
    .where('name', '=', vmName)
    .executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  await refuseOutsideWindow(db, actor, [machine.training_id])
  return machine.id
}
