import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const lti = webModule({
  name: 'lti',
  screens: [
    {
      path: '/admin/lms',
      title: 'Connect Your LMS',
      tasks: ['Connect an LMS | Moodle Canvas LTI'],
      for: ADMINS,
      tab: { of: '/admin/organisation', title: 'LMS', order: 30 },
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
})
