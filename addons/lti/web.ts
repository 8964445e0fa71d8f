import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const lti = webModule({
  name: 'lti',
  screens: [
    {
      path: '/admin/lms',
      title: 'Connect Your LMS',
      for: ADMINS,
      menu: {
        group: 'Administration',
        order: 20,
        icon: 'M2 7l8-4 8 4-8 4ZM5 9v5c3 2.5 7 2.5 10 0V9M18 7v6',
      },
      load: () => import('./web/Lms.tsx'),
    },
    {
      path: '/lti',
      title: 'Opening Your Training',
      for: 'anyone',
      load: () => import('./web/Lti.tsx'),
      sendsForms: true,
    },
  ],
  fills: [fill(organisationSections, 90, () => import('./web/ConnectSection.tsx'))],
})
