import { serverModule } from '../../../core/module.ts'
import { calendarHandlers } from '../calendar/http.ts'
import { classSessionHandlers, holidaysHandlers } from './http.ts'
import { readyHandlers } from '../ready/http.ts'
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
})
