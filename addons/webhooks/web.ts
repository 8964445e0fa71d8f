import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const webhooks = webModule({
  name: 'webhooks',
  screens: [
    {
      path: '/admin/webhooks',
      title: 'Webhooks',
      for: ADMINS,
      menu: {
        group: 'Administration',
        order: 70,
        icon: 'M9 8.5 6 13.5M10 3.5a2.5 2.5 0 1 0 0 5l3.5 6M5 12.5a2.2 2.2 0 1 0 2.2 2.2h6M15 12.6a2.2 2.2 0 1 1-1.5 2',
      },
      load: () => import('./web/Webhooks.tsx'),
    },
  ],
})
