import { webhookSecretContext } from './server/encryption-context.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { addDemoWebhook } from './server/demo-webhook.ts'
import { demoDataAdded } from '@trainyard/organisations/server/demo-data.ts'
import { WEBHOOKS_DUE, webhookDelivery } from './server/deliver.ts'
import { WEBHOOK_GAUGES } from './server/gauges.ts'
import { webhookHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { webhookDisabled, sendWebhookDisabled } from './server/jobs.ts'
import { cleanWebhooks } from './server/retention.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import { on } from '@trainyard/platform/server/core/events.ts'
import { published } from '@trainyard/users/server/notices.ts'
import { insertEvents } from './server/queries.ts'
import { webhookSender } from './server/webhooks.ts'
import type { Webhooks } from './server/webhooks-provider.ts'
import { instrumented } from '@trainyard/platform/server/run/telemetry/instrumented.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    readonly webhooks: Webhooks
  }
}
declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    readonly webhooks: Webhooks
  }
}

export default serverModule({
  name: 'webhooks',
  connectCalls: ({ config, secrets }) => ({
    webhooks: webhookSender({ ...config.webhooks, egress: secrets.egressProxy }),
  }),
  connectWorker: async ({ config, secrets, meters }) => ({
    webhooks: instrumented('webhook', webhookSender({ ...config.webhooks, egress: secrets.egressProxy }), meters),
  }),
  calls: (parts) => ({ webhook: webhookHandlers(parts) }),
  tasks: (parts) => [
    {
      name: 'send webhooks',
      every: MINUTE,
      on: 'each',
      isDue: WEBHOOKS_DUE,
      limit: 600,
      run: webhookDelivery(parts),
    },
  ],
  listens: [
    on(organisationsRemoved, async (tx, organisations) => {
      await tx.deleteFrom('webhook_endpoint').where('organisation_id', 'in', organisations).execute()
    }),
    on(demoDataAdded, async (tx, added) => {
      for (const each of added) await addDemoWebhook(tx, each)
    }),
    on(published, async (tx, events) => {
      const rows = events.map((each) => ({ ...each, hasTraining: each.training !== undefined }))
      await insertEvents(tx, JSON.stringify(rows))
    }),
  ],
  jobs: [runs(webhookDisabled, sendWebhookDisabled)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    retained: [
      {
        table: 'webhook_event',
        days: 'webhook_days',
        organisation: 't.organisation_id',
        ended: `case when not exists (select from webhook_delivery d where d.event_id = t.id and d.state = 'pending')
          then t.created_at end`,
      },
    ],
    sealed: [
      { table: 'webhook_endpoint', column: 'secret', key: 'id', context: webhookSecretContext },
      { table: 'webhook_endpoint', column: 'former_secret', key: 'id', context: webhookSecretContext },
    ],
    personal: {
      webhook_attempt: {
        ...withoutOwner('', 'request_headers response_headers response_body error'),
        ifMentioned: 'delete',
      },
      webhook_delivery: { ...withoutOwner('state', 'resource'), ifMentioned: 'delete' },
      webhook_endpoint: withoutOwner('events disabled_reason', 'url description', 'secret former_secret'),
      webhook_event: { ...withoutOwner('type', 'resource data'), ifMentioned: 'delete' },
      webhook_lane: { ...withoutOwner('', 'resource'), ifMentioned: 'delete' },
    },
    expire: [cleanWebhooks],
    invariants: INVARIANTS,
  },
  gauges: WEBHOOK_GAUGES,
})
