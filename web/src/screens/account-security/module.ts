import { fill, webModule } from '#src/shell/module.ts'
import { overviewLists } from '#src/screens/overview/slots.ts'
import { shellIdentity } from '#src/shell/slots.ts'
import { securitySections } from './slots.ts'

export const secondFactor = webModule({
  name: 'second-factor',
  fills: [
    fill(securitySections, 30, () => import('./SecondFactor.tsx')),
    fill(securitySections, 40, () => import('./Passkeys.tsx')),
    fill(overviewLists, 10, () => import('#src/screens/overview/FactorResets.tsx')),
    fill(shellIdentity, 10, () => import('#src/shell/ConfirmIdentity.tsx'), { lazy: true }),
  ],
})
