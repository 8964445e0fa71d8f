import { serverModule } from '../../core/module.ts'
import { notificationHandlers } from './http.ts'

export default serverModule({
  name: 'notifications',
  calls: (parts) => ({ notification: notificationHandlers(parts) }),
})
