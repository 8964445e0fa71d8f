import { handEvents } from './contract/hand-event.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { classroomHandlers } from './server/http.ts'
import { measureMachines } from './server/measure.ts'
import { stopIdle } from './server/stop-idle.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'classroom',
  requires: ['remote-access'],
  calls: (parts) => ({ classroom: classroomHandlers(parts) }),
  tasks: ({ db, metrics }) => [
    { name: 'stop idle machines', every: 5, on: 'one', run: () => stopIdle(db) },
    ...(metrics
      ? [
          {
            name: 'read machine metrics',
            every: MINUTE,
            on: 'one' as const,
            run: (signal: AbortSignal) => measureMachines(db, metrics, signal),
          },
        ]
      : []),
  ],
  publishes: handEvents,
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      announcement: withoutOwner('', 'text made_by'),
      raised_hand: {
        owner: { address: 'email' },
        title: 'Raised hands',
        erase: 'delete',
        mentions: 'email',
        other: 'reason',
      },
    },
  },
})
