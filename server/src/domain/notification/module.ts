import { serverModule } from '../../core/module.ts'
import { notificationHandlers } from './http.ts'
import { deleteOldNotifications } from './list.ts'

export default serverModule({
  name: 'notifications',
  calls: (parts) => ({ notification: notificationHandlers(parts) }),
  tables: {
    personal: {
      notification: {
        owner: { user: 'about_user' },
        title: 'Notifications about the user',
        erase: 'delete',
        mentions: 'data',
        other: 'kind audience',
      },
      notification_read: { owner: { user: 'user_id' }, title: 'Notifications read', erase: 'delete' },
    },
    expire: [deleteOldNotifications],
  },
})
