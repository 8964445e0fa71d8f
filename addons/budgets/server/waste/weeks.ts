import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectWaste, type WastedTraining } from './queries.ts'

export async function wasteOf(
  db: Db,
  organisation: OrganisationId,
  training: TrainingId | null = null,
): Promise<WastedTraining[]> {
  const { rows } = await selectWaste(db, organisation, training)
  return rows.map(({ lost, ...row }) => ({ ...row, lostPaiseAWeek: Math.round(lost / row.weeks) }))
}
