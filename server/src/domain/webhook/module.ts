import { serverModule, runs } from '../../core/module.ts'
import { WEBHOOKS_DUE, webhookDelivery } from './deliver.ts'
import { webhookHandlers } from './http.ts'
import { webhookDisabled, sendWebhookDisabled } from './jobs.ts'
import { MINUTE } from '../../reconcile/task.ts'

export default serverModule({
  name: 'webhooks',
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
  jobs: [runs(webhookDisabled, sendWebhookDisabled)],
})
