import IconPlugConnected from '@tabler/icons-react/icons/IconPlugConnected'
import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const ports = webModule({
  name: 'ports',
  screens: [
    {
      path: '/vm/ports',
      title: 'Networking (Ports)',
      tasks: ['Open a port | firewall close'],
      for: ADMINS,
      menu: {
        group: 'Instance Overview',
        order: 50,
        icon: IconPlugConnected,
      },
      load: () => import('./web/Ports.tsx'),
      fetch: (api, of) => api.port.list(of),
    },
  ],
})
