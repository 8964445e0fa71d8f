import { answer, answerSql } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { priceAt, priceChanges } from '../../lab/template/price-at.ts'
import { capturedFor, purpose, remark } from '../payment/purpose.ts'
import { PRICE_CHANGE_DUE, applyPriceChanges } from '../price/apply.ts'
import { priceHandlers } from '../price/http.ts'
import { customerPriceAt, customerPriceChanges } from '../price/queries.ts'
import { assignedPayments } from '../accounting/hooks.ts'
import { quoteHandlers } from './http.ts'
import { paymentsOfProformas } from './queries.ts'
import { INVARIANTS } from './invariants.ts'
import { quoteMail, mailQuote } from './mail.ts'
import { capturedForProforma, onAccountSentence, proformaToPay } from './proforma.ts'
import { MINUTE } from '../../../reconcile/task.ts'

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
    sql: new URL('../../../db/tables/quotes.sql', import.meta.url),
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
