import type { Db } from '../../../db/schema.ts'
import { updateReadyOrders } from './queries.ts'

/** Records when all machines of an order have been created. A trigger writes the webhook event. */
export async function markReadyOrders(db: Db): Promise<void> {
  await updateReadyOrders(db)
}
