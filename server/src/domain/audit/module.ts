import { serverModule } from '../../core/module.ts'
import { auditHandlers } from './http.ts'

export default serverModule({
  name: 'audit-chain',
  calls: () => ({ audit: auditHandlers }),
})
