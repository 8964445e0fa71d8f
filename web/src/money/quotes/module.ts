import { fill, webModule } from '#src/shell/module.ts'
import { accountSections } from '#src/screens/ledger/slots.ts'
import { invoicesActions, invoicesSections } from '#src/screens/invoices/slots.ts'
import { organisationSections } from '#src/screens/organisation-settings/slots.ts'

export const quotes = webModule({
  name: 'quotes',
  fills: [
    fill(accountSections, 20, () => import('./Quotes.tsx')),
    fill(invoicesActions, 10, () => import('./WriteQuoteButton.tsx')),
    fill(invoicesSections, 10, () => import('./Quotes.tsx'), { lazy: true }),
    fill(organisationSections, 40, () => import('#src/screens/organisation-settings/Prices.tsx'), { lazy: true }),
  ],
})
