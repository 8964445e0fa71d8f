import IconCalendarTime from '@tabler/icons-react/icons/IconCalendarTime'
import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'
import { lastDay, scheduleActions, scheduleSections } from './web/slots.ts'

export const schedules = webModule({
  name: 'schedules',
  screens: [
    {
      path: '/vm/scheduler',
      title: 'Schedule Task',
      tasks: ['Schedule a start or stop | timer automatic weekly task'],
      for: ADMINS,
      instructors: true,
      menu: {
        group: 'Instance Overview',
        order: 60,
        icon: IconCalendarTime,
      },
      tabs: { own: 'Schedules' },
      load: () => import('./web/Scheduler.tsx'),
      slots: [scheduleActions, scheduleSections, lastDay],
      fetch: (api, of) => api.schedule.list(of),
    },
  ],
})
