import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { readyMachines } from '@trainyard/machines/server/order/spares.ts'
import { type ListedPool, lockPoolRow, type Pool, selectPool, takeSpares } from './queries.ts'

export const claimSpares: AnswerTo<typeof readyMachines> = async (tx, { training, template, guacamole, count }) => {
  const { rows } = await takeSpares(tx, training, template, guacamole, count)
  return rows.map(({ id }) => id)
}

/** Locks the pool of a training, if it has one, and the training against its removal, which locks in the same order. */
export async function lockPool(tx: Tx, training: TrainingId): Promise<Pool | undefined> {
  await tx.selectFrom('training').select('id').where('id', '=', training).forShare().execute()
  return (await lockPoolRow(tx, training)).rows[0]
}

export async function poolOf(db: Db | Tx, training: TrainingId): Promise<ListedPool | null> {
  return (await selectPool(db, training)).rows[0] ?? null
}

export async function forgetSpares(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await tx.deleteFrom('pool_machine').where('machine_id', 'in', machines).execute()
}

/** Forgets the pools of trainings whose machines are all deleted. */
export async function deletePools(tx: Tx, trainings: readonly TrainingId[]): Promise<void> {
  await tx.deleteFrom('ready_pool').where('training_id', 'in', trainings).execute()
  await tx.deleteFrom('pool_machine').where('training_id', 'in', trainings).execute()
}
