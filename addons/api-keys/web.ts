import { LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'

export const apiKeys = webModule({
  name: 'api-keys',
  screens: [
    {
      path: '/admin/keys',
      title: 'API Keys',
      for: LAB_ROLES,
      menu: {
        group: 'Administration',
        order: 60,
        icon: 'M7 7a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10.5 10.5H17v3M14 10.5V13',
      },
      load: () => import('./web/ApiKeys.tsx'),
    },
  ],
})
