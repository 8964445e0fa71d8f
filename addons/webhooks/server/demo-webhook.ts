import { randomUUID } from 'node:crypto'
import type { WebhookEndpointId } from '@trainyard/platform/contract/words/ids.ts'
import type { RowOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { webhookSecretContext } from './encryption-context.ts'
import type { demoDataAdded } from '@trainyard/organisations/server/demo-data.ts'

/** Webhook secret that the emulator's receiver knows. */
const WEBHOOK_SECRET = `whsec_${Buffer.from('trainyard demo receiver, no secret').toString('base64')}`

/** Adds a webhook that the emulator receives. */
export async function addDemoWebhook(
  tx: Tx,
  { organisation: organisation_id, seal, emulatorUrl }: RowOf<typeof demoDataAdded>,
): Promise<void> {
  const id = randomUUID() as WebhookEndpointId
  await tx
    .insertInto('webhook_endpoint')
    .values({
      id,
      organisation_id,
      url: `${emulatorUrl}/webhooks/receive`,
      description: 'Receiver of the emulator',
      events: [],
      secret: seal.seal(WEBHOOK_SECRET, webhookSecretContext(id)),
    })
    .execute()
}
