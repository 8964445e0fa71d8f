import IconEraser from '@tabler/icons-react/icons/IconEraser'
import IconHistory from '@tabler/icons-react/icons/IconHistory'
import IconReceiptRupee from '@tabler/icons-react/icons/IconReceiptRupee'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'
import { withinWindow } from '@trainyard/trainings/web/within-window.ts'

export const usage = webModule({
  name: 'usage',
  screens: [
    {
      path: '/vm/billing',
      title: 'Usage and Billing Summary',
      tasks: ['See the bill of a training | cost spent usage money'],
      for: LAB_ROLES,
      menu: {
        group: 'Instance Overview',
        order: 30,
        icon: IconReceiptRupee,
      },
      tabs: { own: 'Bill' },
      load: () => import('./web/Billing.tsx'),
      fetch: withinWindow((api, of) => api.meter.bill({ ...of, lines: 'yes' })),
    },
    {
      path: '/vm/logs',
      title: 'Session Logs',
      tasks: ['See who used a machine | hours worked activity'],
      for: ROLES,
      menu: {
        group: 'Instance Overview',
        order: 40,
        // A sandbox user may open this screen, but has no training with logs.
        roles: LAB_ROLES,
        icon: IconHistory,
      },
      load: () => import('./web/Logs.tsx'),
      fetch: withinWindow((api, of) => api.machine.names(of)),
    },
    {
      path: '/vm/deletelogs',
      title: 'Logs Cleanup',
      for: ['superadmin'],
      menu: {
        group: 'Instance Overview',
        order: 130,
        icon: IconEraser,
      },
      load: () => import('./web/DeleteLogs.tsx'),
    },
  ],
})
