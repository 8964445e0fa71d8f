import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const webhooks = webModule({
  name: 'webhooks',
  screens: [
    {
      path: '/admin/webhooks',
      title: 'Webhooks',
      tasks: ['Add a webhook | endpoint event integration'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 60 },
      load: () => import('./web/Webhooks.tsx'),
    },
  ],
})
