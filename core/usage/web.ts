import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'

export const usage = webModule({
  name: 'usage',
  screens: [
    {
      path: '/vm/billing',
      title: 'Usage and Billing Summary',
      for: LAB_ROLES,
      menu: {
        group: 'Instance Overview',
        order: 30,
        icon: 'M5 3h10v14l-2.5-1.5L10 17l-2.5-1.5L5 17zM8 7h4M8 10h4',
      },
      load: () => import('./web/Billing.tsx'),
      fetch: (api, of) => api.meter.bill({ ...of, lines: 'yes' }),
    },
    {
      path: '/vm/logs',
      title: 'Session Logs',
      for: ROLES,
      menu: {
        group: 'Instance Overview',
        order: 40,
        // A sandbox user may open this screen, but has no training with logs.
        roles: LAB_ROLES,
        icon: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6v4.2l2.8 1.8',
      },
      load: () => import('./web/Logs.tsx'),
      fetch: (api, of) => api.machine.names(of),
    },
    {
      path: '/vm/deletelogs',
      title: 'Logs Cleanup',
      for: ['superadmin'],
      menu: {
        group: 'Instance Overview',
        order: 130,
        icon: 'M8 16.5h8.5M4 12l7-7 4.5 4.5-7 7h-1Z',
      },
      load: () => import('./web/DeleteLogs.tsx'),
    },
  ],
})
