import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { booksHandlers } from './server/http.ts'
import { gstReturnHandlers } from './server/gst-return/http.ts'

export default serverModule({
  name: 'books',
  requires: ['invoices'],
  calls: () => ({ books: booksHandlers, gstReturn: gstReturnHandlers }),
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: { customer_ledger: withoutOwner('name') },
  },
})
