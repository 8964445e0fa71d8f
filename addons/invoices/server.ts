import { entryEvents } from './contract/entry-event.ts'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { usageHandlers } from './server/charging.ts'
import { creditedOf, dueOn, isHeld } from '@trainyard/accounting/server/hooks.ts'
import { adding } from '@trainyard/ledger/server/adding.ts'
import { demoDataAdded } from '@trainyard/organisations/server/demo-data.ts'
import { issueDemoInvoice } from './server/demo-invoice.ts'
import { enteredAdded } from './server/entered.ts'
import { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { findDocuments } from './server/read.ts'
import { invoiceHandlers } from './server/http.ts'
import { creditedByNotes, documentDueOn, documentIsHeld } from './server/queries.ts'
import { INVARIANTS } from './server/invariants.ts'
import { invoiceMail, invoiceCancelled, mailDocument } from './server/mail.ts'
import { issueDueInvoices } from './server/run.ts'
import { issueDueVouchers } from './server/vouchers.ts'
import { supplierHandlers } from './server/supplier/http.ts'
import { taxStatusHandlers } from './server/tax-status/http.ts'
import { operator } from '@trainyard/organisations/server/operator.ts'
import { supplierSettings } from './server/supplier/settings.ts'
import { gstinChange, gstinInForce } from '@trainyard/organisations/server/gstin.ts'
import { changeGstinOfStatus, gstinOfStatus } from './server/tax-status.ts'
import { deleteWithdrawnDocuments } from './server/tax-status/requests.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

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
  listens: [
    on(demoDataAdded, async (tx, added) => {
      for (const { organisation } of added) await issueDemoInvoice(tx, organisation)
    }),
  ],
  answers: [
    answer(adding, enteredAdded),
    answer(gstinInForce, gstinOfStatus),
    answer(gstinChange, changeGstinOfStatus),
    answer(pagesSought, findDocuments),
    answer(operator, async (db) => (await supplierSettings(db)).legalName),
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
  publishes: entryEvents,
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    access: {
      charged_line: { writes: 'insert' },
      tax_document: { writes: 'insert', generated: ['created_at'] },
      tax_document_registration: { writes: 'insert', generated: ['recorded_at'] },
      e_invoice_cancellation: { writes: 'insert', generated: ['recorded_at'] },
      document_series: { writes: 'none' },
    },
    executes: ['post_documents(uuid[])'],
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
