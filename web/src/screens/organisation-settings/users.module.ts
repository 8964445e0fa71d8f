import { ROLES } from '@trainyard/contract/words/role.ts'
import { securitySections } from '#src/screens/account-security/slots.ts'
import { fill, webModule } from '#src/shell/module.ts'
import { organisationSections } from './slots.ts'

export const users = webModule({
  name: 'users',
  screens: [
    {
      path: '/account',
      title: 'Account Security',
      for: ROLES,
      load: () => import('#src/screens/account-security/AccountSecurity.tsx'),
      slots: [securitySections],
    },
  ],
  fills: [
    fill(organisationSections, 110, () => import('./People.tsx')),
    fill(securitySections, 10, () => import('#src/screens/account-security/Name.tsx')),
    fill(securitySections, 20, () => import('#src/screens/account-security/Password.tsx')),
    fill(securitySections, 50, () => import('#src/screens/account-security/Sessions.tsx')),
  ],
})
