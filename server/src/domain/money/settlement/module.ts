import { serverModule } from '../../../core/module.ts'
import { settlementHandlers } from './http.ts'
import { readSettlements } from './read.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'settlements',
  calls: () => ({ settlement: settlementHandlers }),
  tasks: ({ db, payments }) =>
    payments
      ? [
          {
            name: 'read settlements',
            every: 60 * MINUTE,
            on: 'one',
            limit: 15 * MINUTE,
            run: (signal) => readSettlements(db, payments, signal),
          },
        ]
      : [],
})
