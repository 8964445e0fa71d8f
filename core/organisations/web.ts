import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections, personTools } from './web/slots.ts'

export const organisations = webModule({
  name: 'organisations',
  screens: [
    {
      path: '/admin/organisation',
      title: 'Organisation Settings',
      for: ADMINS,
      menu: {
        group: 'Administration',
        order: 10,
        icon: 'M4.5 17V4h7v13M11.5 8h4v9M3 17h14M7 7h2M7 10h2M7 13h2',
      },
      context: 'organisation',
      load: () => import('./web/OrganisationSettings.tsx'),
      slots: [organisationSections, personTools],
    },
  ],
  fills: [
    fill(organisationSections, 10, () => import('./web/Profile.tsx')),
    fill(organisationSections, 50, () => import('./web/Logo.tsx')),
    fill(organisationSections, 60, () => import('./web/MachineAccess.tsx')),
    fill(organisationSections, 70, () => import('./web/Security.tsx')),
  ],
})
