import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const trainings = webModule({
  name: 'trainings',
  screens: [
    {
      path: '/vm/restriction',
      title: 'User Permissions',
      for: ADMINS,
      menu: {
        group: 'Instance Overview',
        order: 100,
        icon: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
      },
      load: () => import('./web/Restriction.tsx'),
      fetch: (api, of) => api.accessWindow.read(of),
    },
    {
      path: '/vm/deletetraining',
      title: 'Remove Lab Course',
      for: ['superadmin'],
      menu: {
        group: 'Instance Overview',
        order: 140,
        icon: 'M3.5 5.5h13M8 5V3h4v2M5 5.5l.8 11h8.4l.8-11',
      },
      load: () => import('./web/DeleteTraining.tsx'),
    },
  ],
})
