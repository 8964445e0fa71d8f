import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { booksHandlers } from './http.ts'
import { gstReturnHandlers } from '../gst-return/http.ts'

export default serverModule({
  name: 'books',
  requires: ['invoices'],
  calls: () => ({ books: booksHandlers, gstReturn: gstReturnHandlers }),
  tables: {
    sql: new URL('../../../db/tables/books.sql', import.meta.url),
    personal: { customer_ledger: withoutOwner('name') },
  },
})
