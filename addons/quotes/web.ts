import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountActions } from '@trainyard/ledger/web/slots.ts'
import { invoicesActions, invoicesSections } from '@trainyard/invoices/web/slots.ts'
import { creditActions } from '@trainyard/prepaid-credit/web/slots.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const quotes = webModule({
  name: 'quotes',
  refetches: { payment: ['quote'] },
  screens: [
    {
      path: '/ledger/quotes',
      title: 'Quotes',
      tasks: ['Ask for a quote | proforma price'],
      for: ADMINS,
      context: 'organisation',
      tab: { of: '/ledger/account', order: 30 },
      load: () => import('./web/quotes/AccountQuotes.tsx'),
      slots: [accountActions],
    },
  ],
  fills: [
    fill(invoicesActions, 10, () => import('./web/quotes/WriteQuoteButton.tsx')),
    fill(invoicesSections, 10, () => import('./web/quotes/Quotes.tsx'), { lazy: true }),
    fill(creditActions, 10, () => import('./web/BuyByInvoiceButton.tsx')),
    fill(organisationSections, 40, () => import('./web/Prices.tsx')),
  ],
})
