import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { securitySections } from './web/account-security/slots.ts'
import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const users = webModule({
  name: 'users',
  screens: [
    {
      path: '/account',
      title: 'Account Security',
      for: ROLES,
      load: () => import('./web/account-security/AccountSecurity.tsx'),
      slots: [securitySections],
    },
  ],
  fills: [
    fill(organisationSections, 110, () => import('./web/People.tsx')),
    fill(securitySections, 10, () => import('./web/account-security/Name.tsx')),
    fill(securitySections, 20, () => import('./web/account-security/Password.tsx')),
    fill(securitySections, 50, () => import('./web/account-security/Sessions.tsx')),
  ],
})
