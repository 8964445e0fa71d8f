import { answer, answerSql } from '@trainyard/platform/server/core/events.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { priceAt, priceChanges } from '@trainyard/templates/server/price-at.ts'
import { capturedFor, purpose, remark } from '@trainyard/payments/server/purpose.ts'
import { PRICE_CHANGE_DUE, applyPriceChanges } from './server/price/apply.ts'
import { priceHandlers } from './server/price/http.ts'
import { customerPriceAt, customerPriceChanges } from './server/price/queries.ts'
import { assignedPayments } from '@trainyard/accounting/server/hooks.ts'
import { quoteHandlers } from './server/http.ts'
import { paymentsOfProformas } from './server/queries.ts'
import { INVARIANTS } from './server/invariants.ts'
import { quoteMail, mailQuote } from './server/mail.ts'
import { capturedForProforma, onAccountSentence, proformaToPay } from './server/proforma.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'quotes',
  requires: ['invoices', 'prepaid-credit'],
  calls: (parts) => ({ quote: quoteHandlers(parts), price: priceHandlers }),
  tasks: ({ db }) => [
    {
      name: 'apply price changes',
      every: MINUTE,
      on: 'each',
      isDue: PRICE_CHANGE_DUE,
      run: (signal) => applyPriceChanges(db, signal),
    },
  ],
  answers: [
    answer(purpose, proformaToPay),
    answer(capturedFor, capturedForProforma),
    answer(remark, onAccountSentence),
  ],
  sqlAnswers: [
    answerSql(assignedPayments, paymentsOfProformas),
    answerSql(priceAt, customerPriceAt),
    answerSql(priceChanges, customerPriceChanges),
  ],
  jobs: [runs(quoteMail, mailQuote)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      customer_price: withoutOwner('kind item', 'decided_by'),
      price_change: withoutOwner(''),
      proforma_payment: withoutOwner('payment payment_kind', 'recorded_by'),
      quote: {
        ...withoutOwner('number state proforma invoice invoice_kind', 'created_by decided_by answer'),
        requiredByLaw: 'lines content pdf proforma_content proforma_pdf',
      },
      quote_series: withoutOwner('kind financial_year'),
    },
    invariants: INVARIANTS,
  },
})
