import { serverModule } from '../core/module.ts'
import { healthHandlers } from '../http/health.ts'
import { statusOf } from '../reconcile/status.ts'

export default serverModule({
  name: 'platform',
  calls: ({ prove, disk }) => ({ health: healthHandlers({ prove, disk, status: statusOf }) }),
})
