import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const scim = webModule({
  name: 'scim',
  screens: [
    {
      path: '/admin/directory',
      title: 'Directory',
      tasks: ['Connect a directory | SCIM Entra provisioning'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 40 },
      load: () => import('./web/Provisioning.tsx'),
    },
  ],
})
