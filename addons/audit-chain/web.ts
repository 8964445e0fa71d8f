import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const auditChain = webModule({
  name: 'audit-chain',
  screens: [
    {
      path: '/admin/audit',
      title: 'Audit',
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 90 },
      load: () => import('./web/Audit.tsx'),
    },
  ],
})
