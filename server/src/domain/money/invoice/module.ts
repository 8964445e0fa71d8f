import { serverModule, runs } from '../../../core/module.ts'
import { invoiceHandlers } from './http.ts'
import { invoiceMail, invoiceCancelled, mailDocument } from './mail.ts'
import { issueDueInvoices } from './run.ts'
import { issueDueVouchers } from './vouchers.ts'
import { supplierHandlers } from '../supplier/http.ts'
import { taxStatusHandlers } from '../tax-status/http.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'invoices',
  requires: ['accounting'],
  calls: ({ jobs }) => ({ supplier: supplierHandlers, invoice: invoiceHandlers(jobs), taxStatus: taxStatusHandlers }),
  tasks: ({ db, jobQueue }) => [
    {
      name: 'issue invoices',
      every: 10 * MINUTE,
      on: 'one',
      limit: 300,
      run: async (signal) => void (await issueDueInvoices(db, jobQueue, signal)),
    },
    {
      name: 'issue vouchers',
      every: 10 * MINUTE,
      on: 'one',
      limit: 300,
      run: async (signal) => void (await issueDueVouchers(db, jobQueue, signal)),
    },
  ],
  jobs: [
    runs(invoiceMail, (parts) => mailDocument(parts, 'issued')),
    runs(invoiceCancelled, (parts) => mailDocument(parts, 'cancelled')),
  ],
})
