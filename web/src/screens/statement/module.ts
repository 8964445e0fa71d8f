import { ADMINS, fill, webModule } from '#src/shell/module.ts'
import { accountPaper, ledgerActions } from '#src/screens/ledger/slots.ts'

export const books = webModule({
  name: 'books',
  screens: [
    {
      path: '/ledger/statement',
      title: 'Statement',
      for: ADMINS,
      load: () => import('./Statement.tsx'),
    },
    {
      path: '/ledger/gst',
      title: 'GST Return',
      for: ['superadmin'],
      load: () => import('#src/screens/gst-return/GstReturn.tsx'),
    },
  ],
  fills: [
    fill(accountPaper, 10, () => import('#src/screens/account/PaperStatement.tsx')),
    fill(ledgerActions, 10, () => import('#src/screens/ledger/ExportButton.tsx')),
  ],
})
