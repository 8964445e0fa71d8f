import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const registration = webModule({
  name: 'registration',
  screens: [
    {
      path: '/vm/registration',
      title: 'Registration Links',
      for: ADMINS,
      instructors: true,
      menu: {
        group: 'Instance Overview',
        order: 90,
        icon: 'M8.5 11.5l3-3M7 13l-1 1a2.5 2.5 0 0 1-3.5-3.5l3-3a2.5 2.5 0 0 1 3.5 0M13 7l1-1a2.5 2.5 0 0 1 3.5 3.5l-3 3a2.5 2.5 0 0 1-3.5 0',
      },
      load: () => import('./web/Registration.tsx'),
      fetch: (api, of) => api.registrationLink.list(of),
    },
    { path: '/join', title: 'Register', for: 'anyone', load: () => import('./web/Join.tsx') },
  ],
})
