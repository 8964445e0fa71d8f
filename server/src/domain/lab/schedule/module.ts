import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { on } from '../../../core/events.ts'
import { endDeferrals } from './deferred-stops.ts'
import { fireIfDue, SCHEDULE_DUE } from './fire.ts'
import { scheduleHandlers } from './http.ts'
import { INVARIANTS } from './invariants.ts'
import { cancelSchedules } from './queries.ts'
import { trainingsRemoved } from '../training/existence.ts'
import { windowChanged } from '../training/window.ts'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'schedules',
  calls: () => ({ schedule: scheduleHandlers }),
  tasks: ({ db }) => [
    { name: 'run schedules', every: MINUTE, on: 'each', isDue: SCHEDULE_DUE, run: () => fireIfDue(db, MINUTE) },
  ],
  tables: {
    sql: new URL('../../../db/tables/schedules.sql', import.meta.url),
    personal: {
      schedule: withoutOwner('action time_zone', 'created_by'),
      schedule_outcome: withoutOwner('outcome', 'reason'),
    },
    invariants: INVARIANTS,
  },
  listens: [
    on(trainingsRemoved, async (tx, trainings) => void (await cancelSchedules(tx, trainings))),
    on(windowChanged, async (tx, trainings) => {
      for (const training of trainings) await endDeferrals(tx, training)
    }),
  ],
})
