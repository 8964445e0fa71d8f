import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { securitySections } from './web/account-security/slots.ts'
import { loginWays } from './web/sign-in/slots.ts'
import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { personTools } from '@trainyard/organisations/web/slots.ts'

export const users = webModule({
  name: 'users',
  screens: [
    {
      path: '/account',
      title: 'Account Security',
      tasks: ['Change my password | passkey authenticator second factor sign out everywhere'],
      for: ROLES,
      tabs: { own: 'Security' },
      load: () => import('./web/account-security/AccountSecurity.tsx'),
      slots: [securitySections],
    },
    {
      path: '/admin/people',
      title: 'People',
      tasks: ['Invite a person | add user admin instructor'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 10 },
      load: () => import('./web/People.tsx'),
      slots: [personTools],
    },
    {
      path: '/login',
      title: 'Login',
      for: 'anyone',
      load: () => import('./web/sign-in/Login.tsx'),
      slots: [loginWays],
    },
    { path: '/logout', title: 'Logout', for: 'anyone', load: () => import('./web/sign-in/Logout.tsx') },
    { path: '/forgot', title: 'Forgot Password', for: 'anyone', load: () => import('./web/sign-in/Forgot.tsx') },
    {
      path: '/invitation',
      title: 'Set Your Password',
      for: 'anyone',
      load: () => import('./web/sign-in/Invitation.tsx'),
    },
    { path: '/set-up', title: 'Set Up', for: 'anyone', load: () => import('./web/sign-in/SetUp.tsx') },
    {
      path: '/password',
      title: 'Change Your Password',
      for: 'anyone',
      load: () => import('./web/sign-in/Password.tsx'),
    },
  ],
  fills: [
    fill(securitySections, 10, () => import('./web/account-security/Name.tsx')),
    fill(securitySections, 20, () => import('./web/account-security/Password.tsx')),
    fill(securitySections, 50, () => import('./web/account-security/Sessions.tsx')),
  ],
})
