import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'

export async function makeRefundsDue(tx: Tx, orderId: string): Promise<void> {
  await setDesiredState(tx, 'refund', {
    rows: sql`
      select id from refund where order_row = (select id from payment where order_id = ${orderId})
        and state not in ('processed', 'failed') order by id for update`,
    backoff: 'keep',
  })
}
