import { webModule } from '@trainyard/platform/web/shell/module.ts'

export const settlements = webModule({
  name: 'settlements',
  screens: [
    {
      path: '/ledger/settlements',
      title: 'Settlements',
      tasks: ['Check settlements | Razorpay bank payout'],
      for: ['superadmin'],
      tab: { of: '/ledger', order: 40 },
      load: () => import('./web/Settlements.tsx'),
    },
  ],
})
