import { fill, webModule } from '#src/shell/module.ts'
import { accountActions, settledInvoice } from '#src/screens/ledger/slots.ts'

export const accounting = webModule({
  name: 'accounting',
  fills: [
    fill(accountActions, 10, () => import('#src/screens/account/CorrectButton.tsx'), { for: ['superadmin'] }),
    fill(settledInvoice, 10, () => import('./SettledInvoice.tsx')),
  ],
})
