import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'
import { creditActions } from './web/slots.ts'

export const prepaidCredit = webModule({
  name: 'prepaid-credit',
  refetches: { payment: ['credit'] },
  screens: [
    {
      path: '/ledger/credit',
      title: 'Prepaid Credit',
      for: ADMINS,
      menu: {
        group: 'Ledger',
        order: 50,
        icon: 'M3 6.5h12.5a1.5 1.5 0 0 1 1.5 1.5v7.5H4.5A1.5 1.5 0 0 1 3 14ZM3 6.5 13 3.5v3M13.5 11.5h.5',
      },
      load: () => import('./web/Credit.tsx'),
      slots: [creditActions],
    },
  ],
})
