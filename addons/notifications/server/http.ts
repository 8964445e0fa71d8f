import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { type MachineChanges, mayWatch, watchChanges } from '@trainyard/machines/server/watch.ts'
import { markNotifications, notificationsOf, unreadOf } from './list.ts'
import type { Unread } from './queries.ts'

interface NotificationDependencies {
  readonly changes: MachineChanges
  readonly secondFactor: SecondFactorRule
}

export const notificationHandlers = ({
  changes,
  secondFactor,
}: NotificationDependencies): HandlersOf<'notification'> => ({
  async list(db, { actor }) {
    const notifications = await notificationsOf(db, actor)
    return { unread: notifications.filter(({ read }) => !read).length, notifications }
  },

  async mark(tx, { actor, body: { ids, read } }) {
    await markNotifications(tx, actor, ids, read)
    return { message: read ? 'Marked as read.' : 'Marked as unread.' }
  },

  async watch(db, { actor, sessionHash }, { send, closed }) {
    let sent = ''
    await watchChanges<Unread>({
      actor,
      subscribe: (onChange) => changes.subscribe(actor.organisation?.id ?? 'superadmins', onChange, ['notified']),
      closed,
      send,
      async load() {
        const unread = await unreadOf(db, actor)
        const text = JSON.stringify(unread)
        if (text === sent) return null
        sent = text
        return unread
      },
      isStillAllowed: async () => sessionHash !== null && mayWatch(db, sessionHash, actor.role, secondFactor),
    })
  },
})
