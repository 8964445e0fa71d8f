import { fill, webModule } from '#src/shell/module.ts'
import { accountSections } from '#src/screens/ledger/slots.ts'

export const payments = webModule({
  name: 'payments',
  fills: [fill(accountSections, 50, () => import('./Refunds.tsx'), { for: ['superadmin'] })],
})
