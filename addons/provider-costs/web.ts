import { webModule } from '@trainyard/platform/web/shell/module.ts'

export const providerCosts = webModule({
  name: 'provider-costs',
  screens: [
    {
      path: '/ledger/costs',
      title: 'Provider Costs',
      tasks: ['Compare provider costs | Azure AWS margin'],
      for: ['superadmin'],
      tab: { of: '/ledger', order: 30 },
      load: () => import('./web/Costs.tsx'),
    },
  ],
})
