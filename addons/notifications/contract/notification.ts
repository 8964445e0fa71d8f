import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { NOTIFICATIONS_MAX } from './notification-words.ts'
import { instant } from '@trainyard/platform/contract/shapes.ts'

const roles = ['user', 'admin', 'superadmin'] as const

const notificationRow = z.object({
  id: z.uuid(),
  at: instant,
  /** Also true for a routine notification, which needs no reading. */
  read: z.boolean(),
  routine: z.boolean(),
  organization: z.string(),
  training: z.string().nullable(),
  kind: z.string(),
  /** The text, one or two sentences, as it was when the event happened. */
  text: z.string(),
  /** Path of the screen on which an admin can act on it. */
  link: z.string(),
})
export type Notification = z.output<typeof notificationRow>

export const notification = {
  list: call({
    route: 'GET /notifications',
    for: roles,
    does: `Lists the newest ${NOTIFICATIONS_MAX} notifications that the user may see now. They are stored for 90 days.`,
    reply: z.object({ unread: z.int(), notifications: z.array(notificationRow) }),
  }),
  mark: call({
    route: 'POST /notifications/read',
    for: roles,
    does: 'Marks notifications as read or unread for the user. Those that the user may not see are ignored.',
    audit: 'marked notifications as read or unread',
    body: z.strictObject({
      ids: z
        .array(z.uuid('must be the id of a notification'))
        .min(1, 'must not be empty')
        .max(NOTIFICATIONS_MAX, `must have at most ${NOTIFICATIONS_MAX} entries`),
      read: z.boolean(),
    }),
  }),
  watch: call({
    route: 'GET /notifications/events',
    for: roles,
    does: 'Streams the number of unread notifications, the id of the newest one and a hash of all texts, first the current values, then each change.',
    reply: z.object({ unread: z.int(), newest: z.uuid().nullable(), texts: z.string().nullable() }),
    kind: 'stream',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    notification: typeof notification
  }
}
