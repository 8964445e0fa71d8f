import { sql } from 'kysely'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'

/** Workers listen here for refunds to ask for. */
export const REFUND_DUE = 'refund_due'

/** Has the refunds of an order's payments looked at as soon as this is committed, where they are not through. */
export async function makeRefundsDue(tx: Tx, orderId: string): Promise<void> {
  // Locked in the order of their ids, as by the worker that prolongs its claims of several.
  const { numAffectedRows } = await sql`
    with due as (
      select id from refund where order_row = (select id from payment where order_id = ${orderId})
        and state not in ('processed', 'failed') order by id for update)
    update refund r set generation = generation + 1,
      reconcile_at = case when attempts > 0 then reconcile_at else portal_now() end
    from due where r.id = due.id`.execute(tx)
  if (numAffectedRows !== 0n) await notifyWorkers(tx, REFUND_DUE)
}
