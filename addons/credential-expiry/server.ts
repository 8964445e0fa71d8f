import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { listExpiring, recordExpiring } from './server/expiring.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'credential-expiry',
  calls: () => ({ home: { expiring: (db) => listExpiring(db) } }),
  tasks: ({ db, findExpiring, logMessage }) =>
    findExpiring
      ? [
          {
            name: 'check expiry of credentials',
            every: 6 * 60 * MINUTE,
            on: 'one',
            run: (signal) => recordExpiring(db, findExpiring, { signal, logMessage }),
          },
        ]
      : [],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      expiring_credential: withoutOwner('name'),
    },
  },
})
