import { can } from '@trainyard/contract/words/machine.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, conflict } from '../../../core/errors.ts'
import { viewOf } from '../machine/view.ts'
import { machinesInScope } from '../training/scope.ts'
import { refuseOutsideWindow } from '../training/window.ts'

/**
 * The machine that somebody wants to open in the browser, held until the transaction ends.
 * @throws Problem notFound; forbidden to a user outside the access window; conflict when it can't be opened now
 */
export const machineToOpen = (tx: Tx, actor: Actor, name: string): Promise<MachineRow> =>
  openable(tx, actor, named(tx, actor, name).forNoKeyUpdate())

/** The same, to read from: nobody else waits for it. */
export const machineToList = (db: Db, actor: Actor, name: string): Promise<MachineRow> =>
  openable(db, actor, named(db, actor, name))

const named = (db: Db, actor: Actor, name: string) => machinesInScope(db, actor).selectAll().where('name', '=', name)

async function openable(db: Db, actor: Actor, query: ReturnType<typeof named>): Promise<MachineRow> {
  const machine = await query.executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  await refuseOutsideWindow(db, actor, [machine.training_id])
  const may = can.openInBrowser(viewOf({ ...machine, seconds: 0 }, null))
  if (may !== true) throw conflict(may)
  return machine
}
