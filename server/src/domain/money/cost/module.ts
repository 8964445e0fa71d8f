import { serverModule } from '../../../core/module.ts'
import { costHandlers } from './http.ts'
import { importWaiting } from './import.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'provider-costs',
  calls: () => ({ cost: costHandlers }),
  tasks: ({ db }) => [
    {
      name: 'import provider costs',
      every: 5,
      on: 'one',
      limit: 15 * MINUTE,
      run: (signal) => importWaiting(db, signal),
    },
  ],
})
