import { LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'

export const requests = webModule({
  name: 'requests',
  screens: [
    {
      path: '/requests',
      title: 'Requests',
      for: LAB_ROLES,
      menu: {
        group: 'Administration',
        order: 50,
        icon: 'M3.5 4h13v9.5H9L5.5 17v-3.5h-2zM7 7.5h6M7 10h4',
      },
      load: () => import('./web/Requests.tsx'),
    },
  ],
})
