import IconTrash from '@tabler/icons-react/icons/IconTrash'
import IconUsers from '@tabler/icons-react/icons/IconUsers'
import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const trainings = webModule({
  name: 'trainings',
  screens: [
    {
      path: '/vm/restriction',
      title: 'User Permissions',
      tasks: ['Set the access window | hours open close learners'],
      for: ADMINS,
      menu: {
        group: 'Instance Overview',
        order: 100,
        icon: IconUsers,
      },
      tabs: { own: 'Access window' },
      load: () => import('./web/Restriction.tsx'),
      fetch: (api, of) => api.accessWindow.read(of),
    },
    {
      path: '/vm/deletetraining',
      title: 'Remove Lab Course',
      tasks: ['Delete a training | remove end kill'],
      for: ['superadmin'],
      menu: {
        group: 'Instance Overview',
        order: 140,
        icon: IconTrash,
      },
      load: () => import('./web/DeleteTraining.tsx'),
    },
  ],
})
