import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { ledgerSections } from '@trainyard/ledger/web/slots.ts'

export const settlements = webModule({
  name: 'settlements',
  fills: [fill(ledgerSections, 10, () => import('./web/Settlements.tsx'))],
})
