import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { meterHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'

export default serverModule({
  name: 'usage',
  calls: () => ({ meter: meterHandlers }),
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      day_total: withoutOwner(''),
      run: withoutOwner(''),
      run_total: withoutOwner(''),
    },
    invariants: INVARIANTS,
  },
})
