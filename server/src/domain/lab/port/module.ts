import { serverModule, reconciles } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { portHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { securityGroupKind } from './security-group.ts'

export default serverModule({
  name: 'ports',
  calls: () => ({ port: portHandlers }),
  kinds: [reconciles('security_group', securityGroupKind)],
  tables: {
    personal: {
      port: withoutOwner('protocol source'),
      security_group: withoutOwner('resource_group location', 'last_error'),
    },
    invariants: INVARIANTS,
  },
})
