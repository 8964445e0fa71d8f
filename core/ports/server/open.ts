import { PORT_PRIORITY_FIRST, PORT_PRIORITY_MAX, PORTS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import type { PortProtocol } from '@trainyard/platform/contract/words/network.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { wakeSecurityGroups } from './security-groups.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'

interface AllowedTraffic {
  readonly protocol?: PortProtocol | undefined
  readonly source?: string | undefined
}

/**
 * Opens a port. The caller must hold a lock on the training's row.
 * @throws Problem conflict if the port is open, or if too many are
 */
export async function openPort(
  tx: Tx,
  training: TrainingInScope,
  port: number,
  requested: number,
  { protocol = 'TCP and UDP', source }: AllowedTraffic = {},
): Promise<void> {
  const open = await tx.selectFrom('port').select(['port', 'priority']).where('training_id', '=', training.id).execute()
  if (open.some((row) => row.port === port)) throw conflict(`Port ${port} is already open.`)
  if (open.length >= PORTS_MAX) {
    throw conflict(`A training can have at most ${PORTS_MAX} open ports. Close one before you open another.`)
  }
  const priority = nextFree(new Set(open.map((row) => row.priority)), requested)
  await tx
    .insertInto('port')
    .values({
      training_id: training.id,
      organisation_id: training.organisationId,
      port,
      priority,
      protocol,
      source: source ?? null,
    })
    .execute()
  await wakeSecurityGroups(tx, training.id)
}

/**
 * Closes a port. The caller must hold a lock on the training's row.
 * @throws Problem conflict if the port is not open
 */
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

/**
 * Returns the requested priority if it is free, otherwise the next free priority above it, otherwise the lowest free
 * priority. There is always a free priority, because there are more priorities than ports that can be open.
 */
function nextFree(usedPriorities: ReadonlySet<number>, requested: number): number {
  for (let priority = Math.max(requested, PORT_PRIORITY_FIRST); priority <= PORT_PRIORITY_MAX; priority++) {
    if (!usedPriorities.has(priority)) return priority
  }
  return nextFree(usedPriorities, PORT_PRIORITY_FIRST)
}
