import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { meterHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'

export default serverModule({
  name: 'usage',
  calls: () => ({ meter: meterHandlers }),
  tables: {
    sql: new URL('../../../db/tables/usage.sql', import.meta.url),
    personal: {
      day_total: withoutOwner(''),
      run: withoutOwner(''),
      run_total: withoutOwner(''),
    },
    invariants: INVARIANTS,
  },
})
