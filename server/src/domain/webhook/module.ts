import { serverModule } from '../../core/module.ts'
import { webhookHandlers } from './http.ts'

export default serverModule({
  name: 'webhooks',
  calls: (parts) => ({ webhook: webhookHandlers(parts) }),
})
