import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { overviewLists } from '@trainyard/home/web/overview/slots.ts'
import { shellIdentity } from '@trainyard/platform/web/shell/slots.ts'
import { securitySections } from '@trainyard/users/web/account-security/slots.ts'
import { loginSecondStep, loginWays } from '@trainyard/users/web/sign-in/slots.ts'

export const secondFactor = webModule({
  name: 'second-factor',
  fills: [
    fill(securitySections, 30, () => import('./web/SecondFactor.tsx')),
    fill(securitySections, 40, () => import('./web/Passkeys.tsx')),
    fill(overviewLists, 10, () => import('./web/FactorResets.tsx')),
    fill(loginWays, 10, () => import('./web/PasskeyLogin.tsx')),
    fill(loginSecondStep, 10, () => import('./web/SecondStep.tsx'), { lazy: true }),
    fill(shellIdentity, 10, () => import('./web/ConfirmIdentity.tsx'), { lazy: true }),
  ],
})
