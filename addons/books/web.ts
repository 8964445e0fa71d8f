import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountPaper, ledgerActions, paymentActions } from '@trainyard/ledger/web/slots.ts'

export const books = webModule({
  name: 'books',
  screens: [
    {
      path: '/ledger/statement',
      title: 'Statements',
      tasks: ['Export a statement | account CSV PDF'],
      for: ADMINS,
      tab: { of: '/ledger/account', order: 10 },
      load: () => import('./web/Statement.tsx'),
    },
    {
      path: '/ledger/gst',
      title: 'GST Return',
      tasks: ['Export a GST return | GSTR tally books'],
      for: ['superadmin'],
      tab: { of: '/ledger', order: 20 },
      load: () => import('./web/GstReturn.tsx'),
    },
  ],
  fills: [
    fill(accountPaper, 10, () => import('./web/PaperStatement.tsx')),
    fill(ledgerActions, 10, () => import('./web/ExportButton.tsx')),
    fill(paymentActions, 10, () => import('./web/ReceiptButton.tsx')),
  ],
})
