import { answer, answerSql } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { usageHandlers } from './charging.ts'
import { creditedOf, dueOn, isHeld } from '../accounting/hooks.ts'
import { adding } from '../ledger/adding.ts'
import { enteredAdded } from './entered.ts'
import { invoiceHandlers } from './http.ts'
import { creditedByNotes, documentDueOn, documentIsHeld } from './queries.ts'
import { INVARIANTS } from './invariants.ts'
import { invoiceMail, invoiceCancelled, mailDocument } from './mail.ts'
import { issueDueInvoices } from './run.ts'
import { issueDueVouchers } from './vouchers.ts'
import { supplierHandlers } from '../supplier/http.ts'
import { taxStatusHandlers } from '../tax-status/http.ts'
import { gstinChange, gstinInForce } from '../../people/organisation/gstin.ts'
import { changeGstinOfStatus, gstinOfStatus } from './tax-status.ts'
import { deleteWithdrawnDocuments } from '../tax-status/requests.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'invoices',
  requires: ['accounting'],
  calls: ({ jobs }) => ({
    supplier: supplierHandlers,
    invoice: invoiceHandlers(jobs),
    taxStatus: taxStatusHandlers,
    meter: usageHandlers,
  }),
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
  answers: [
    answer(adding, enteredAdded),
    answer(gstinInForce, gstinOfStatus),
    answer(gstinChange, changeGstinOfStatus),
  ],
  sqlAnswers: [
    answerSql(creditedOf, creditedByNotes),
    answerSql(dueOn, documentDueOn),
    answerSql(isHeld, documentIsHeld),
  ],
  jobs: [
    runs(invoiceMail, (parts) => mailDocument(parts, 'issued')),
    runs(invoiceCancelled, (parts) => mailDocument(parts, 'cancelled')),
  ],
  tables: {
    personal: {
      carried_month: withoutOwner(''),
      charged_line: withoutOwner('entry_kind invoice'),
      document_series: withoutOwner('supplier_gstin prefix financial_year'),
      organisation_billing: withoutOwner(
        'legal_name place address_line1 address_line2 city pin state country purchase_order cost_centre',
        'emails',
      ),
      supplier: withoutOwner(
        `legal_name gstin address_line1 address_line2 city pin state phone bank_name account_name account_number ifsc
        signatory sac invoice_prefix credit_note_prefix receipt_prefix issuing reminders refund_prefix turnover
        financial_note_prefix debit_note_prefix cin`,
        'email',
      ),
      tax_document: {
        ...withoutOwner(
          `kind supplier_gstin prefix financial_year number payment paid_kind refund refund_kind entry_kind`,
          'created_by',
        ),
        requiredByLaw: 'content e_invoice pdf',
      },
      tax_document_registration: { ...withoutOwner('irn ack_number signed_qr', 'recorded_by'), requiredByLaw: 'pdf' },
      e_invoice_cancellation: { ...withoutOwner('reason', 'recorded_by'), requiredByLaw: 'pdf' },
      tax_rate: withoutOwner(''),
      tax_status: withoutOwner('place gstin', 'reason decided_by'),
      tax_status_request: {
        ...withoutOwner('place gstin document_type state', 'reason document_name asked_by decided_by answer'),
        requiredByLaw: 'document',
      },
      undertaking: withoutOwner('financial_year number'),
    },
    expire: [deleteWithdrawnDocuments],
    invariants: INVARIANTS,
  },
})
