import { sql } from 'kysely'
import { WEBHOOK_LOG_DAYS } from '@trainyard/contract/words/webhook.ts'
import type { Tx } from '../../db/schema.ts'
import { failPendingOfDisabled } from './disable.ts'

/** Maximum number of rows per clean-up, which limits its time. The next one continues. */
const BATCH = 5_000

/** Deletes old events with their deliveries and attempts, except pending ones, and expired secrets. */
export async function cleanWebhooks(tx: Tx): Promise<void> {
  await failPendingOfDisabled(tx)
  await sql`
    delete from webhook_event where id in (
      select id from webhook_event e where created_at < portal_now() - make_interval(days => ${WEBHOOK_LOG_DAYS})
        and not exists (select from webhook_delivery where event_id = e.id and state = 'pending')
      order by created_at limit ${BATCH})`.execute(tx)
  await sql`
    update webhook_endpoint set former_secret = null, former_until = null
    where former_until <= portal_now()`.execute(tx)
}
