import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountSections } from '@trainyard/ledger/web/slots.ts'

export const reminders = webModule({
  name: 'reminders',
  refetches: { ledger: ['reminder'], payment: ['reminder'], supplier: ['reminder'] },
  fills: [
    fill(accountSections, 10, () => import('./web/Requests.tsx')),
    fill(accountSections, 40, () => import('./web/Reminders.tsx')),
  ],
})
