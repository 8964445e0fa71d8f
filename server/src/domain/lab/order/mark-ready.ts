import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'

/** Records when all machines of an order have been created. A trigger writes the webhook event. */
export async function markReadyOrders(db: Db): Promise<void> {
  await sql`
    update machine_order o set ready_at = portal_now() where ready_at is null and not exists
      (select from machine m where m.order_id = o.id and m.first_seen_at is null and m.terminated_at is null)`.execute(
    db,
  )
}
