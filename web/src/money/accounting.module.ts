import { fill, webModule } from '#src/shell/module.ts'
import { accountActions, ledgerActions, ledgerSections, settledInvoice } from '#src/screens/ledger/slots.ts'

export const accounting = webModule({
  name: 'accounting',
  fills: [
    fill(accountActions, 10, () => import('#src/screens/account/CorrectButton.tsx'), { for: ['superadmin'] }),
    fill(ledgerActions, 5, () => import('#src/screens/ledger/TdsButton.tsx')),
    fill(ledgerSections, 5, () => import('#src/screens/ledger/Ageing.tsx'), { lazy: true }),
    fill(ledgerSections, 20, () => import('#src/screens/ledger/TrialBalance.tsx'), { lazy: true }),
    fill(settledInvoice, 10, () => import('./SettledInvoice.tsx')),
  ],
})
