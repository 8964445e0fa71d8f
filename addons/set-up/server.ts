import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { setUpHandlers } from './server/http.ts'
import { connectionsTry, mailTry, tryConnections, tryMail } from './server/jobs.ts'

export default serverModule({
  name: 'set-up',
  requires: ['invoices'],
  calls: ({ jobs }) => ({ setUp: setUpHandlers({ jobs }) }),
  jobs: [runs(connectionsTry, tryConnections), runs(mailTry, tryMail)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: { set_up_try: withoutOwner('what', 'answer') },
  },
})
