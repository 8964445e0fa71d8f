import { webModule } from '@trainyard/platform/web/shell/module.ts'

export const providerCosts = webModule({
  name: 'provider-costs',
  screens: [
    {
      path: '/ledger/costs',
      title: 'Provider Costs',
      for: ['superadmin'],
      menu: {
        group: 'Ledger',
        order: 40,
        icon: 'M6.5 10.5a3 3 0 0 1-.2-6A4 4 0 0 1 14 5.2a2.7 2.7 0 0 1-.3 5.3ZM5 13.5h10M5 16.5h6.5',
      },
      load: () => import('./web/Costs.tsx'),
    },
  ],
})
