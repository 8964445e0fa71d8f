import { serverModule } from '../../core/module.ts'
import { WEBHOOKS_DUE, webhookDelivery } from './deliver.ts'
import { webhookHandlers } from './http.ts'
import { MINUTE } from '../../reconcile/task.ts'
import { on } from '../../core/events.ts'
import { published } from '../people/user/notices.ts'
import { insertEvents } from './queries.ts'

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
  listens: [
    on(published, async (tx, events) => {
      const rows = events.map((each) => ({ ...each, hasTraining: each.training !== undefined }))
      await insertEvents(tx, JSON.stringify(rows))
    }),
  ],
})
