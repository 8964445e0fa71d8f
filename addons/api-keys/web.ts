import { LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'

export const apiKeys = webModule({
  name: 'api-keys',
  screens: [
    {
      path: '/admin/keys',
      title: 'API Keys',
      tasks: ['Create an API key | token developer'],
      for: LAB_ROLES,
      tab: [
        { of: '/admin/organisation', order: 50 },
        { of: '/account', order: 10 },
      ],
      load: () => import('./web/ApiKeys.tsx'),
    },
  ],
})
