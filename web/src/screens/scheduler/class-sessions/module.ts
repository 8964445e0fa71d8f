import { ADMINS, fill, webModule } from '#src/shell/module.ts'
import { scheduleCalendar, scheduleSections } from '#src/screens/scheduler/slots.ts'
import { homeCards, plannedTime } from '#src/screens/home/slots.ts'
import { consoleTop } from '#src/machine/slots.ts'
import { trainingStatus } from '#src/training/slots.ts'

export const classSessions = webModule({
  name: 'class-sessions',
  fills: [
    fill(homeCards, 20, () => import('#src/screens/home/NextClass.tsx')),
    fill(plannedTime, 10, () => import('#src/screens/home/PlannedTime.tsx')),
    fill(consoleTop, 10, () => import('#src/training/ReadyNow.tsx'), { for: ADMINS, lazy: true }),
    fill(trainingStatus, 10, () => import('#src/training/ReadyNow.tsx')),
    fill(scheduleCalendar, 10, () => import('./Sessions.tsx'), { lazy: true }),
    fill(scheduleSections, 10, () => import('#src/screens/scheduler/ReadyBy.tsx')),
    fill(scheduleSections, 20, () => import('#src/screens/scheduler/Weekly.tsx')),
  ],
})
