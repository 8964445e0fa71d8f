import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const auditChain = webModule({
  name: 'audit-chain',
  screens: [
    {
      path: '/admin/audit',
      title: 'Audit',
      for: ADMINS,
      menu: {
        group: 'Administration',
        order: 90,
        icon: 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5ZM7.5 10l2 2 3.5-3.5',
      },
      load: () => import('./web/Audit.tsx'),
    },
  ],
})
