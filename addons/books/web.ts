import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountPaper, ledgerActions } from '@trainyard/ledger/web/slots.ts'

export const books = webModule({
  name: 'books',
  screens: [
    {
      path: '/ledger/statement',
      title: 'Statement',
      for: ADMINS,
      tab: { of: '/ledger/account', title: 'Statements', order: 10 },
      load: () => import('./web/Statement.tsx'),
    },
    {
      path: '/ledger/gst',
      title: 'GST Return',
      for: ['superadmin'],
      tab: { of: '/ledger', title: 'GST Return', order: 20 },
      load: () => import('./web/GstReturn.tsx'),
    },
  ],
  fills: [
    fill(accountPaper, 10, () => import('./web/PaperStatement.tsx')),
    fill(ledgerActions, 10, () => import('./web/ExportButton.tsx')),
  ],
})
