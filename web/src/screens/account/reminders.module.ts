import { fill, webModule } from '#src/shell/module.ts'
import { accountSections } from '#src/screens/ledger/slots.ts'

export const reminders = webModule({
  name: 'reminders',
  fills: [
    fill(accountSections, 10, () => import('./Requests.tsx')),
    fill(accountSections, 40, () => import('./Reminders.tsx')),
  ],
})
