import IconWallet from '@tabler/icons-react/icons/IconWallet'
import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import {
  accountActions,
  accountPaper,
  accountSections,
  paymentActions,
  settledInvoice,
} from '@trainyard/ledger/web/slots.ts'

export const payments = webModule({
  name: 'payments',
  refetches: { payment: ['meter'] },
  screens: [
    {
      path: '/ledger/account',
      title: 'Account',
      tasks: ['Pay | Razorpay payment recharge top up money'],
      for: ADMINS,
      menu: {
        group: 'Ledger',
        order: 20,
        // A superadmin opens this screen from a row of Billing History, which selects the customer.
        roles: ['admin'],
        otherwise: '/ledger',
        icon: IconWallet,
      },
      context: 'organisation',
      tabs: { own: 'Transactions' },
      load: () => import('./web/Account.tsx'),
      slots: [accountActions, accountSections, accountPaper, paymentActions, settledInvoice],
    },
  ],
  fills: [fill(accountSections, 50, () => import('./web/Refunds.tsx'), { for: ['superadmin'] })],
})
