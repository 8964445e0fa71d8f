import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { overviewLists } from '@trainyard/home/web/overview/slots.ts'
import { shellIdentity } from '@trainyard/platform/web/shell/slots.ts'
import { securitySections } from '@trainyard/users/web/account-security/slots.ts'

export const secondFactor = webModule({
  name: 'second-factor',
  fills: [
    fill(securitySections, 30, () => import('./web/SecondFactor.tsx')),
    fill(securitySections, 40, () => import('./web/Passkeys.tsx')),
    fill(overviewLists, 10, () => import('./web/FactorResets.tsx')),
    fill(shellIdentity, 10, () => import('./web/ConfirmIdentity.tsx'), { lazy: true }),
  ],
})
