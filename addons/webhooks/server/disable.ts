import { webhookDisabled } from './jobs.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookEndpointId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { activeAdmins } from '@trainyard/users/server/admins.ts'
import { failPendingDeliveries } from './queries.ts'

/**
 * Fails the pending deliveries of disabled endpoints. Skips resources for which another transaction writes an event or
 * records an attempt; the next clean-up fails their deliveries.
 */
export async function failPendingOfDisabled(tx: Tx): Promise<void> {
  await failPendingDeliveries(tx)
}

/** Disables an endpoint that does not accept events, and notifies the admins of its organisation by e-mail. */
export async function disableAutomatically(
  tx: Tx,
  jobs: JobQueue,
  id: WebhookEndpointId,
  reason: 'gone' | 'failing',
): Promise<void> {
  const endpoint = await tx
    .updateTable('webhook_endpoint')
    .set({ disabled_at: sql<Date>`portal_now()`, disabled_reason: reason })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returning(['organisation_id', 'url'])
    .executeTakeFirst()
  if (endpoint === undefined) return
  const admins = await activeAdmins(tx, endpoint.organisation_id)
  const mails = admins.map((admin) => ({ endpoint: id, user: admin.id }))
  if (mails.length > 0) await jobs.enqueue(tx, webhookDisabled, mails)
  await writeAudit(tx, {
    call: 'webhook.disabled',
    requestId: randomUUID(),
    actor: null,
    organisation: endpoint.organisation_id,
    request: { endpoint: id, url: endpoint.url, reason, mailed: mails.length },
  })
}
