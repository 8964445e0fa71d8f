import { serverModule } from '../../../core/module.ts'
import { invoiceHandlers } from './http.ts'
import { supplierHandlers } from '../supplier/http.ts'
import { taxStatusHandlers } from '../tax-status/http.ts'

export default serverModule({
  name: 'invoices',
  requires: ['accounting'],
  calls: ({ jobs }) => ({ supplier: supplierHandlers, invoice: invoiceHandlers(jobs), taxStatus: taxStatusHandlers }),
})
