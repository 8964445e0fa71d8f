import { serverModule, reconciles } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { portHandlers } from './http.ts'
import { on } from '../../../core/events.ts'
import { machinesDeleted, machinesOrdered, machinesTerminated } from '../machine/events.ts'
import { sourcesChanged } from '../../people/organisation/http.ts'
import { INVARIANTS } from './invariants.ts'
import { securityGroupKind } from './security-group.ts'
import {
  ensureSecurityGroups,
  wakeEmptySecurityGroups,
  wakeSecurityGroups,
  wakeSecurityGroupsOf,
} from './security-groups.ts'

export default serverModule({
  name: 'ports',
  calls: () => ({ port: portHandlers }),
  kinds: [reconciles('security_group', securityGroupKind)],
  tables: {
    sql: new URL('../../../db/tables/ports.sql', import.meta.url),
    personal: {
      port: withoutOwner('protocol source'),
      security_group: withoutOwner('resource_group location', 'last_error'),
    },
    invariants: INVARIANTS,
  },
  listens: [
    on(machinesOrdered, async (tx, orders) => {
      for (const { training } of orders) await ensureSecurityGroups(tx, training)
    }),
    on(machinesDeleted, async (tx, trainings) => {
      await tx.deleteFrom('port').where('training_id', 'in', trainings).execute()
      for (const training of trainings) await wakeSecurityGroups(tx, training)
    }),
    on(machinesTerminated, wakeEmptySecurityGroups),
    on(sourcesChanged, async (tx, organisations) => {
      for (const organisation of organisations) await wakeSecurityGroupsOf(tx, organisation)
    }),
  ],
})
