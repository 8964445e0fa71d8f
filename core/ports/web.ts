import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const ports = webModule({
  name: 'ports',
  screens: [
    {
      path: '/vm/ports',
      title: 'Networking (Ports)',
      for: ADMINS,
      menu: {
        group: 'Instance Overview',
        order: 50,
        icon: 'M7.5 3v4M12.5 3v4M5.5 7h9v3a4.5 4.5 0 0 1-9 0zM10 14.5V18',
      },
      load: () => import('./web/Ports.tsx'),
      fetch: (api, of) => api.port.list(of),
    },
  ],
})
