import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { hideRuns } from './queries.ts'

/** Hides runs from the log screen. Bills and quotas still count them. */
export async function clearLogs(tx: Tx, training: TrainingId): Promise<void> {
  await hideRuns(tx, training)
}
