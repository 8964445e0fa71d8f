import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const readyPool = webModule({
  name: 'ready-pool',
  screens: [
    {
      path: '/vm/ready-machines',
      title: 'Ready machines',
      tasks: ['Keep machines ready | spare pool instant start'],
      for: ADMINS,
      tab: { of: '/vm/vmdetails', order: 40 },
      load: () => import('./web/ReadyMachines.tsx'),
      fetch: (api, of) => api.readyPool.read(of),
    },
  ],
})
