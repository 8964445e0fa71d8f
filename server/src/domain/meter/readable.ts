import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { absent } from '../../http/problem.ts'
import { onlyOwn } from '../training/reach.ts'
import { refuseOutsideWindow } from '../training/window.ts'

/**
 * The machine whose runs somebody wants to read: a user their own, an admin their organisation's.
 * @throws Problem absent when the machine is not there or out of reach, forbidden to a user outside the access window
 */
export async function machineToRead(db: Db, actor: Actor, vmName: string): Promise<MachineId> {
  let named = db.selectFrom('machine').select(['id', 'training_id']).where('name', '=', vmName)
  if (actor.role !== 'superadmin') {
    if (actor.organisation === null) throw absent('machine')
    named = named.where('organisation_id', '=', actor.organisation.id)
  }
  const onlyOf = onlyOwn(actor)
  if (onlyOf !== null) named = named.where('email', '=', onlyOf)
  const machine = await named.executeTakeFirst()
  if (machine === undefined) throw absent('machine')
  await refuseOutsideWindow(db, actor, [machine.training_id])
  return machine.id
}
