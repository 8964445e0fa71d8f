import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { answer, on } from '@trainyard/platform/server/core/events.ts'
import { endDeferrals } from './server/deferred-stops.ts'
import { fireIfDue, SCHEDULE_DUE } from './server/fire.ts'
import { scheduleHandlers } from './server/http.ts'
import { INVARIANTS } from './server/invariants.ts'
import { cancelSchedules } from './server/queries.ts'
import { plannedTimes } from '@trainyard/usage/server/outlook.ts'
import { scheduledTimes } from './server/planned-times.ts'
import { trainingsRemoved } from '@trainyard/trainings/server/existence.ts'
import { windowChanged } from '@trainyard/trainings/server/window.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'schedules',
  calls: () => ({ schedule: scheduleHandlers }),
  tasks: ({ db }) => [
    {
      name: 'run schedules',
      every: MINUTE,
      on: 'each',
      isDue: SCHEDULE_DUE,
      run: async () => ({ inSeconds: await fireIfDue(db, MINUTE) }),
    },
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      schedule: withoutOwner('action time_zone', 'created_by'),
      schedule_outcome: withoutOwner('outcome', 'reason'),
    },
    invariants: INVARIANTS,
  },
  answers: [answer(plannedTimes, scheduledTimes)],
  listens: [
    on(trainingsRemoved, async (tx, trainings) => void (await cancelSchedules(tx, trainings))),
    on(windowChanged, async (tx, trainings) => {
      for (const training of trainings) await endDeferrals(tx, training)
    }),
  ],
})
