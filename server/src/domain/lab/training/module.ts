import { serverModule } from '../../../core/module.ts'
import { openingCalendar } from '../calendar/feed.ts'
import { trainingHandlers, accessWindowHandlers } from './http.ts'

export default serverModule({
  name: 'trainings',
  calls: ({ publicUrl }) => ({
    training: trainingHandlers,
    accessWindow: accessWindowHandlers(openingCalendar(publicUrl)),
  }),
})
