import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { failPendingOfDisabled } from './disable.ts'
import { deleteOldEvents, deleteFormerSecrets } from './queries.ts'

/** Deletes old events with their deliveries and attempts, except pending ones, and expired secrets. */
export async function cleanWebhooks(tx: Tx): Promise<void> {
  await failPendingOfDisabled(tx)
  await deleteOldEvents(tx)
  await deleteFormerSecrets(tx)
}
