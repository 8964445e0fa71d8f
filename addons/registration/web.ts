import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const registration = webModule({
  name: 'registration',
  screens: [
    {
      path: '/vm/registration',
      title: 'Registration Links',
      tasks: ['Create a registration link | self-service sign up join code'],
      for: ADMINS,
      instructors: true,
      tab: { of: '/vm/vmdetails', order: 30 },
      load: () => import('./web/Registration.tsx'),
      fetch: (api, of) => api.registrationLink.list(of),
    },
    { path: '/join', title: 'Register', for: 'anyone', load: () => import('./web/Join.tsx') },
  ],
})
