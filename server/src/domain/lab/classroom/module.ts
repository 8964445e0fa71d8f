import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { classroomHandlers } from './http.ts'
import { measureMachines } from './measure.ts'
import { stopIdle } from './stop-idle.ts'
import { MINUTE } from '../../../reconcile/task.ts'

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
  tables: {
    personal: {
      activity_stretch: withoutOwner(''),
      announcement: withoutOwner('', 'text made_by'),
      machine_activity: withoutOwner(''),
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
