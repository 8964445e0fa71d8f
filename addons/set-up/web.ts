import { provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import { screenAfterSetUp } from '@trainyard/users/web/sign-in/slots.ts'

export const setUp = webModule({
  name: 'set-up',
  screens: [
    {
      path: '/admin/set-up',
      title: 'Portal Set-up',
      tasks: ['Try the providers | connection SMTP test mail'],
      for: ['superadmin'],
      tab: { of: '/admin/supplier', order: 50 },
      load: () => import('./web/PortalSetUp.tsx'),
    },
  ],
  provides: [provide(screenAfterSetUp, '/admin/set-up')],
})
