import { serverModule } from '../../../core/module.ts'
import { creditHandlers } from './http.ts'
import { applyOverduePolicy } from './overdue.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'prepaid-credit',
  requires: ['invoices'],
  calls: () => ({ credit: creditHandlers }),
  tasks: ({ db, jobQueue }) => [
    {
      name: 'apply the overdue policy',
      every: MINUTE,
      on: 'one',
      limit: 120,
      run: () => applyOverduePolicy(db, jobQueue),
    },
  ],
})
