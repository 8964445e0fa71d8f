import { on } from '../../core/events.ts'
import { serverModule } from '../../core/module.ts'
import { notificationHandlers } from './http.ts'
import { deleteOldNotifications } from './list.ts'
import { usersMoved } from '../people/user/role.ts'
import { noticed } from '../people/user/notices.ts'
import { addNotifications } from './add.ts'

export default serverModule({
  name: 'notifications',
  calls: (parts) => ({ notification: notificationHandlers(parts) }),
  tables: {
    sql: new URL('../../db/tables/notifications.sql', import.meta.url),
    personal: {
      notification: {
        owner: { user: 'about_user' },
        title: 'Notifications about the user',
        erase: 'delete',
        mentions: 'text',
        other: 'kind audience link',
      },
      notification_read: { owner: { user: 'user_id' }, title: 'Notifications read', erase: 'delete' },
    },
    expire: [deleteOldNotifications],
  },
  listens: [
    on(noticed, addNotifications),
    on(usersMoved, async (tx, moved) => {
      const users = moved.map(({ user }) => user)
      await tx.deleteFrom('notification').where('about_user', 'in', users).execute()
      await tx.deleteFrom('notification_read').where('user_id', 'in', users).execute()
    }),
  ],
})
