import { can } from '@trainyard/contract/words/machine.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/tables/machines.gen.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, conflict } from '../../../core/errors.ts'
import { viewOf } from '../machine/view.ts'
import { machinesInScope, machinesOfClasses } from '../training/scope.ts'
import { refuseOutsideWindow } from '../training/window.ts'

/**
 * Locks a machine of the actor. @throws Problem notFound; forbidden outside the access window; conflict if the machine
 * cannot be opened now
 */
export const lockMachineToOpen = (tx: Tx, actor: Actor, name: string): Promise<MachineRow> =>
  openable(tx, actor, machineByName(tx, actor, name).forNoKeyUpdate())

/** Locks a machine of a class that the actor leads. @throws as `lockMachineToOpen` */
export const lockMachineToWatch = (tx: Tx, actor: Actor, name: string): Promise<MachineRow> =>
  openable(tx, actor, machinesOfClasses(tx, actor).selectAll().where('name', '=', name).forNoKeyUpdate())

export const machineToList = (db: Db, actor: Actor, name: string): Promise<MachineRow> =>
  openable(db, actor, machineByName(db, actor, name))

const machineByName = (db: Db, actor: Actor, name: string) =>
  machinesInScope(db, actor).selectAll().where('name', '=', name)

async function openable(db: Db, actor: Actor, query: ReturnType<typeof machineByName>): Promise<MachineRow> {
  const machine = await query.executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  await refuseOutsideWindow(db, actor, [machine.training_id])
  const may = can.openInBrowser(viewOf({ ...machine, seconds: 0 }, null))
  if (may !== true) throw conflict(may)
  return machine
}
