import { webModule } from '@trainyard/platform/web/shell/module.ts'
import { ledgerActions, ledgerSections, settledInvoice, coveredUsage } from './web/slots.ts'

export const ledger = webModule({
  name: 'ledger',
  screens: [
    {
      path: '/ledger',
      title: 'Billing History',
      for: ['superadmin'],
      menu: {
        group: 'Ledger',
        order: 10,
        icon: 'M4.5 3.5H15v13H4.5ZM7 3.5v13M9.5 7h3M9.5 10h3',
      },
      load: () => import('./web/Ledger.tsx'),
      slots: [ledgerActions, ledgerSections, settledInvoice, coveredUsage],
    },
  ],
})
