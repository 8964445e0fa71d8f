import { serverModule } from '../../core/module.ts'
import { storeDayTotals } from './day-totals.ts'
import { homeHandlers } from './http.ts'
import { MINUTE } from '../../reconcile/task.ts'

export default serverModule({
  name: 'home',
  calls: () => ({ home: homeHandlers }),
  tasks: ({ db }) => [{ name: 'store daily totals', every: 10 * MINUTE, on: 'one', run: () => storeDayTotals(db) }],
})
