import { serverModule } from '../../../core/module.ts'
import { scheduleHandlers } from './http.ts'

export default serverModule({
  name: 'schedules',
  calls: () => ({ schedule: scheduleHandlers }),
})
