import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const auditChain = webModule({
  name: 'audit-chain',
  screens: [
    {
      path: '/admin/audit',
      title: 'Audit',
      tasks: ['See who changed what | log history'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 90 },
      load: () => import('./web/Audit.tsx'),
    },
  ],
})
