import { ROLES } from '@trainyard/contract/words/role.ts'
import { fill, webModule } from '#src/shell/module.ts'
import { overviewLists } from '#src/screens/overview/slots.ts'
import { shellIdentity } from '#src/shell/slots.ts'

export const secondFactor = webModule({
  name: 'second-factor',
  screens: [
    {
      path: '/account',
      title: 'Account Security',
      for: ROLES,
      load: () => import('./AccountSecurity.tsx'),
    },
  ],
  fills: [
    fill(overviewLists, 10, () => import('#src/screens/overview/FactorResets.tsx')),
    fill(shellIdentity, 10, () => import('#src/shell/ConfirmIdentity.tsx'), { lazy: true }),
  ],
})
