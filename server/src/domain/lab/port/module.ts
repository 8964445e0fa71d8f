import { serverModule, reconciles } from '../../../core/module.ts'
import { portHandlers } from './http.ts'
import { securityGroupKind } from './security-group.ts'

export default serverModule({
  name: 'ports',
  calls: () => ({ port: portHandlers }),
  kinds: [reconciles('security_group', securityGroupKind)],
})
