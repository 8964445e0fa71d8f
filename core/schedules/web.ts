import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'
import { lastDay, scheduleSections } from './web/slots.ts'

export const schedules = webModule({
  name: 'schedules',
  screens: [
    {
      path: '/vm/scheduler',
      title: 'Schedule Task',
      for: ADMINS,
      instructors: true,
      menu: {
        group: 'Instance Overview',
        order: 60,
        icon: 'M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5',
      },
      load: () => import('./web/Scheduler.tsx'),
      slots: [scheduleSections, lastDay],
      fetch: (api, of) => api.schedule.list(of),
    },
  ],
})
