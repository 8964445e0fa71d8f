import { fill, provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import {
  accountActions,
  ledgerActions,
  ledgerSections,
  recordsTds,
  settledInvoice,
} from '@trainyard/ledger/web/slots.ts'

export const accounting = webModule({
  name: 'accounting',
  fills: [
    fill(accountActions, 10, () => import('./web/CorrectButton.tsx'), { for: ['superadmin'] }),
    fill(ledgerActions, 5, () => import('./web/TdsButton.tsx')),
    fill(ledgerSections, 5, () => import('./web/Ageing.tsx'), { lazy: true }),
    fill(ledgerSections, 20, () => import('./web/TrialBalance.tsx'), { lazy: true }),
    fill(settledInvoice, 10, () => import('./web/SettledInvoice.tsx')),
  ],
  provides: [provide(recordsTds, true)],
})
