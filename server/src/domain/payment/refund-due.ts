import { sql } from 'kysely'
import { notifyWorkers } from '../../db/listen.ts'
import type { Tx } from '../../db/schema.ts'

/** Workers listen here for refunds to ask for. */
export const REFUND_DUE = 'refund_due'

/** Has the refunds of an order's payments looked at as soon as this is committed, where they are not through. */
export async function makeRefundsDue(tx: Tx, orderId: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update refund set generation = generation + 1,
      reconcile_at = case when attempts > 0 then reconcile_at else portal_now() end
    where order_row = (select id from payment where order_id = ${orderId})
      and state not in ('processed', 'failed')`.execute(tx)
  if (numAffectedRows !== 0n) await notifyWorkers(tx, REFUND_DUE)
}
