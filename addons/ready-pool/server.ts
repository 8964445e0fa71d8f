import { answer, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { machinesDeleted } from '@trainyard/machines/server/events.ts'
import { readyMachines } from '@trainyard/machines/server/order/spares.ts'
import { readyPoolHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { claimSpares, deletePools } from './server/pool.ts'
import { tendPools } from './server/tend.ts'

export default serverModule({
  name: 'ready-pool',
  calls: (parts) => ({ readyPool: readyPoolHandlers(parts) }),
  tasks: ({ db, seal }) => [
    { name: 'keep machines ready', every: 10, on: 'one', limit: 60, run: (signal) => tendPools(db, seal, signal) },
  ],
  answers: [answer(readyMachines, claimSpares)],
  // The machines of a removed training are deleted with it.
  listens: [on(machinesDeleted, deletePools)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      ready_pool: withoutOwner('power', 'set_by paused'),
      pool_machine: withoutOwner(''),
    },
    invariants: INVARIANTS,
  },
})
