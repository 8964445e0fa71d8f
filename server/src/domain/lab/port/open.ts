import { PORT_PRIORITY_FIRST, PORT_PRIORITY_MAX } from '@trainyard/contract/words/limits.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { wakeSecurityGroups } from '../machine/security-groups.ts'
import type { TrainingInScope } from '../training/scope.ts'

/**
 * Opens a port on every machine of a training, present and future. The priority is a wish: the next free one is taken.
 * The caller holds the training's row, so that whoever else would change its ports waits.
 * @throws Problem conflict when it is open already, or nothing is free
 */
export async function openPort(tx: Tx, training: TrainingInScope, port: number, wish: number): Promise<void> {
  const open = await tx.selectFrom('port').select(['port', 'priority']).where('training_id', '=', training.id).execute()
  if (open.some((row) => row.port === port)) throw conflict(`Port ${port} is already open.`)
  const priority = nextFree(new Set(open.map((row) => row.priority)), wish)
  if (priority === null) throw conflict('No more ports can be opened: the cloud takes no further rules.')
  await tx
    .insertInto('port')
    .values({ training_id: training.id, organisation_id: training.organisationId, port, priority })
    .execute()
  await wakeSecurityGroups(tx, training.id)
}

/** The caller holds the training's row. @throws Problem conflict when it is not open */
export async function closePort(tx: Tx, training: TrainingInScope, port: number): Promise<void> {
  const closed = await tx
    .deleteFrom('port')
    .where('training_id', '=', training.id)
    .where('port', '=', port)
    .returning('port')
    .executeTakeFirst()
  if (closed === undefined) throw conflict(`Port ${port} is not open.`)
  await wakeSecurityGroups(tx, training.id)
}

/** The wish where it is free, else the next above it, else the lowest of all; null: none is left. */
function nextFree(taken: ReadonlySet<number>, wish: number): number | null {
  for (let priority = Math.max(wish, PORT_PRIORITY_FIRST); priority <= PORT_PRIORITY_MAX; priority++) {
    if (!taken.has(priority)) return priority
  }
  return wish > PORT_PRIORITY_FIRST ? nextFree(taken, PORT_PRIORITY_FIRST) : null
}
