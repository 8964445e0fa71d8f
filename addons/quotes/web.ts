import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountSections } from '@trainyard/ledger/web/slots.ts'
import { invoicesActions, invoicesSections } from '@trainyard/invoices/web/slots.ts'
import { creditActions } from '@trainyard/prepaid-credit/web/slots.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const quotes = webModule({
  name: 'quotes',
  refetches: { payment: ['quote'] },
  fills: [
    fill(accountSections, 20, () => import('./web/quotes/Quotes.tsx')),
    fill(invoicesActions, 10, () => import('./web/quotes/WriteQuoteButton.tsx')),
    fill(invoicesSections, 10, () => import('./web/quotes/Quotes.tsx'), { lazy: true }),
    fill(creditActions, 10, () => import('./web/BuyByInvoiceButton.tsx')),
    fill(organisationSections, 40, () => import('./web/Prices.tsx'), { lazy: true }),
  ],
})
