import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { shellBars } from '@trainyard/platform/web/shell/slots.ts'

export const budgets = webModule({
  name: 'budgets',
  screens: [
    {
      path: '/budgets',
      title: 'Budgets',
      for: ADMINS,
      menu: {
        group: 'Ledger',
        order: 60,
        icon: 'M3.5 13.5a6.5 6.5 0 0 1 13 0ZM10 13.5l3-3.5M3.5 16.5h13',
      },
      load: () => import('./web/Budgets.tsx'),
    },
  ],
  fills: [fill(shellBars, 20, () => import('./web/BudgetBar.tsx'), { for: ['admin'], lazy: true })],
})
