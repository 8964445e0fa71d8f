import { serverModule } from '../../../core/module.ts'
import { reminderHandlers } from './http.ts'

export default serverModule({
  name: 'reminders',
  requires: ['invoices'],
  calls: () => ({ reminder: reminderHandlers }),
})
