import { serverModule, reconciles } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { portHandlers } from './server/http.ts'
import { on } from '@trainyard/platform/server/core/events.ts'
import { machinesDeleted, machinesOrdered, machinesTerminated } from '@trainyard/machines/server/events.ts'
import { sourcesChanged } from '@trainyard/organisations/server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { securityGroupKind } from './server/security-group.ts'
import {
  ensureSecurityGroups,
  wakeEmptySecurityGroups,
  wakeSecurityGroups,
  wakeSecurityGroupsOf,
} from './server/security-groups.ts'

export default serverModule({
  name: 'ports',
  calls: () => ({ port: portHandlers }),
  kinds: [reconciles('security_group', securityGroupKind)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      port: withoutOwner('protocol source'),
      security_group: withoutOwner('provider place place_group', 'last_error'),
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
