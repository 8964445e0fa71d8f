import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/** @param training null: the monthly budget of the organisation */
export async function budgetName(db: Db, training: TrainingId | null): Promise<string> {
  if (training === null) return 'this month'
  const { name } = await db.selectFrom('training').select('name').where('id', '=', training).executeTakeFirstOrThrow()
  return name
}
