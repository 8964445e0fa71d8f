import { can } from '@trainyard/machines/contract/machine-words.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, conflict } from '@trainyard/platform/server/core/errors.ts'
import { viewOf } from '@trainyard/machines/server/view.ts'
import { machinesInScope, machinesOfClasses } from '@trainyard/trainings/server/scope.ts'
import { refuseOutsideWindow } from '@trainyard/trainings/server/window.ts'

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

/** Returns a machine of a class that the actor leads. @throws as `lockMachineToOpen` */
export const machineOfClass = (db: Db, actor: Actor, name: string): Promise<MachineRow> =>
  openable(db, actor, machinesOfClasses(db, actor).selectAll().where('name', '=', name))

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
