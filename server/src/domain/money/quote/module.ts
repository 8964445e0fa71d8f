import { serverModule, runs } from '../../../core/module.ts'
import { PRICE_CHANGE_DUE, applyPriceChanges } from '../price/apply.ts'
import { priceHandlers } from '../price/http.ts'
import { quoteHandlers } from './http.ts'
import { quoteMail, mailQuote } from './mail.ts'
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
  jobs: [runs(quoteMail, mailQuote)],
})
