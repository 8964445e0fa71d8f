import IconBuilding from '@tabler/icons-react/icons/IconBuilding'
import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections, signInSections } from './web/slots.ts'

export const organisations = webModule({
  name: 'organisations',
  screens: [
    {
      path: '/admin/organisation',
      title: 'Organisation Settings',
      tasks: ['Change the address, logo or time zone | profile name'],
      for: ADMINS,
      menu: {
        group: 'Administration',
        order: 10,
        icon: IconBuilding,
      },
      context: 'organisation',
      tabs: { own: 'Organisation', aside: true },
      load: () => import('./web/OrganisationSettings.tsx').then(({ Organisation }) => ({ default: Organisation })),
      slots: [organisationSections],
    },
    {
      path: '/admin/sign-in',
      title: 'Sign-in',
      tasks: ['Require a second factor | MFA two-factor password single sign-on SSO'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 20 },
      load: () => import('./web/OrganisationSettings.tsx').then(({ SignIn }) => ({ default: SignIn })),
      slots: [signInSections],
    },
  ],
  fills: [
    fill(organisationSections, 10, () => import('./web/Profile.tsx')),
    fill(organisationSections, 50, () => import('./web/Logo.tsx')),
    fill(organisationSections, 60, () => import('./web/MachineAccess.tsx')),
    fill(signInSections, 10, () => import('./web/Security.tsx')),
  ],
})
