import { securitySections } from '@trainyard/users/web/account-security/slots.ts'
import { ADMINS, fill, provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import { lastDay, scheduleActions, scheduleSections } from '@trainyard/schedules/web/slots.ts'
import { homeCards, plannedTime } from '@trainyard/home/web/slots.ts'
import { consoleTop } from '@trainyard/machines/web/slots.ts'
import { planOfDay } from '@trainyard/usage/web/slots.ts'
import { trainingStatus } from '@trainyard/trainings/web/slots.ts'

export const classSessions = webModule({
  name: 'class-sessions',
  refetches: { schedule: ['recurrence'] },
  screens: [
    {
      path: '/vm/calendar',
      title: 'Calendar',
      tasks: ['Plan sessions | new class event date'],
      for: ADMINS,
      instructors: true,
      tab: { of: '/vm/scheduler', order: 10 },
      load: () => import('./web/sessions/Sessions.tsx'),
    },
    {
      path: '/vm/ready',
      title: 'Ready by',
      tasks: ['Have machines ready by a time | start before class'],
      for: ADMINS,
      instructors: true,
      tab: { of: '/vm/scheduler', order: 20 },
      load: () => import('./web/ReadyBy.tsx'),
      fetch: (api, of) => api.ready.list(of),
    },
  ],
  fills: [
    fill(securitySections, 60, () => import('./web/Calendars.tsx')),
    fill(homeCards, 20, () => import('./web/NextClass.tsx')),
    fill(plannedTime, 10, () => import('./web/PlannedTime.tsx')),
    fill(consoleTop, 10, () => import('./web/ReadyNow.tsx'), { for: ADMINS, lazy: true }),
    fill(trainingStatus, 10, () => import('./web/ReadyNow.tsx')),
    fill(scheduleActions, 10, () => import('./web/PlanMenu.tsx')),
    fill(lastDay, 10, () => import('./web/FindLastDay.tsx')),
    fill(scheduleSections, 20, () => import('./web/Weekly.tsx')),
  ],
  provides: [provide(planOfDay, (date) => ({ to: '/vm/calendar', search: { week: date } }))],
})
