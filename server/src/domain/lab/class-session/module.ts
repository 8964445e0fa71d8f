import { serverModule } from '../../../core/module.ts'
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
})
