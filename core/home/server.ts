import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { storeDayTotals } from './server/day-totals.ts'
import { homeHandlers } from './server/http.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'home',
  calls: () => ({ home: homeHandlers }),
  tasks: ({ db }) => [{ name: 'store daily totals', every: 10 * MINUTE, on: 'one', run: () => storeDayTotals(db) }],
})
