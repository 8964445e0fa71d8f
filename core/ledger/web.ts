import IconBook2 from '@tabler/icons-react/icons/IconBook2'
import { webModule } from '@trainyard/platform/web/shell/module.ts'
import { ledgerActions, ledgerSections, settledInvoice, coveredUsage } from './web/slots.ts'

export const ledger = webModule({
  name: 'ledger',
  refetches: { ledger: ['meter'] },
  screens: [
    {
      path: '/ledger',
      title: 'Billing History',
      tasks: ['Record a payment | receipt bank transfer'],
      for: ['superadmin'],
      menu: {
        group: 'Ledger',
        order: 10,
        icon: IconBook2,
      },
      tabs: { own: 'Clients' },
      load: () => import('./web/Ledger.tsx'),
      slots: [ledgerActions, ledgerSections, settledInvoice, coveredUsage],
    },
  ],
})
