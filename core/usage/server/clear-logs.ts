import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { hideRuns } from './queries.ts'

/** Hides runs from the log screen. Bills and quotas still count them. */
export async function clearLogs(tx: Tx, training: TrainingId): Promise<void> {
  await hideRuns(tx, training)
}
