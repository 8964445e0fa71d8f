import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { calendarHandlers } from '../calendar/http.ts'
import { classSessionHandlers, holidaysHandlers } from './http.ts'
import { readyHandlers } from '../ready/http.ts'
import { startDueMachines } from '../ready/start.ts'
import { recurrenceHandlers } from '../schedule/weekly/http.ts'

export default serverModule({
  name: 'class-sessions',
  calls: ({ publicUrl }) => ({
    recurrence: recurrenceHandlers,
    ready: readyHandlers,
    classSession: classSessionHandlers,
    holidays: holidaysHandlers,
    calendar: calendarHandlers(publicUrl),
  }),
  tasks: ({ db }) => [
    { name: 'start machines before ready times', every: 5, on: 'one', run: () => startDueMachines(db) },
  ],
  tables: {
    personal: {
      calendar_link: { owner: { user: 'user_id' }, title: 'Calendar links', erase: 'delete', secrets: 'token_hash' },
      class_series: withoutOwner('', 'created_by'),
      class_session: withoutOwner('time_zone'),
      holiday: withoutOwner('name', 'created_by'),
      ready_by: withoutOwner('date time time_zone', 'asked_by'),
      ready_machine: withoutOwner('', 'refused'),
      recurrence: withoutOwner('action time_zone', 'created_by'),
    },
  },
})
