import { ADMINS, webModule } from '#src/shell/module.ts'
import {
  accountActions,
  accountPaper,
  accountSections,
  ledgerActions,
  ledgerSections,
  settledInvoice,
} from './slots.ts'

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
      load: () => import('./Ledger.tsx'),
      slots: [ledgerActions, ledgerSections, settledInvoice],
    },
    {
      path: '/ledger/account',
      title: 'Account',
      for: ADMINS,
      menu: {
        group: 'Ledger',
        order: 20,
        // A superadmin opens this screen from a row of Billing History, which selects the customer.
        roles: ['admin'],
        icon: 'M3 5.5h14V15H3zM3 8.5h14M6 12h3',
      },
      context: 'organisation',
      load: () => import('#src/screens/account/Account.tsx'),
      slots: [accountActions, accountSections, accountPaper, settledInvoice],
    },
  ],
})
