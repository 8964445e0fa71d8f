import { fill, webModule } from '#src/shell/module.ts'
import { ledgerSections } from './slots.ts'

export const settlements = webModule({
  name: 'settlements',
  fills: [fill(ledgerSections, 10, () => import('./Settlements.tsx'))],
})
