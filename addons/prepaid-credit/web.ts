import { ADMINS, provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import { sellsCredit } from '@trainyard/ledger/web/slots.ts'
import { creditActions } from './web/slots.ts'

export const prepaidCredit = webModule({
  name: 'prepaid-credit',
  refetches: { payment: ['credit'], credit: ['meter'] },
  provides: [provide(sellsCredit, true)],
  screens: [
    {
      path: '/ledger/credit',
      title: 'Prepaid Credit',
      tasks: ['Buy prepaid credit | top up'],
      for: ADMINS,
      tab: { of: '/ledger/account', order: 40 },
      load: () => import('./web/Credit.tsx'),
      slots: [creditActions],
    },
  ],
})
