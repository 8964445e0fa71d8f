import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { shellBars } from '@trainyard/platform/web/shell/slots.ts'

export const budgets = webModule({
  name: 'budgets',
  screens: [
    {
      path: '/budgets',
      title: 'Budget',
      tasks: ['Set a budget | limit cap spending alert'],
      for: ADMINS,
      context: 'organisation',
      tab: { of: '/vm/billing', order: 10 },
      load: () => import('./web/Budgets.tsx'),
    },
  ],
  fills: [fill(shellBars, 20, () => import('./web/BudgetBar.tsx'), { for: ['admin'], lazy: true })],
})
