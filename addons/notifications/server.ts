import { on } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { notificationHandlers } from './server/http.ts'
import { deleteOldNotifications } from './server/list.ts'
import { usersMoved } from '@trainyard/users/server/role.ts'
import { noticed } from '@trainyard/users/server/notices.ts'
import { addNotifications } from './server/add.ts'

export default serverModule({
  name: 'notifications',
  calls: (parts) => ({ notification: notificationHandlers(parts) }),
  tables: {
    sql: new URL('tables.sql', import.meta.url),
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
