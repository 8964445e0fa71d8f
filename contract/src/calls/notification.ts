import { z } from 'zod'
import { call } from '../call.ts'
import { HAND_REASONS, type HandReason } from '../words/classroom.ts'
import { NOTIFICATIONS_MAX } from '../words/notification.ts'
import { requestSubject } from './change-request.ts'
import { instant } from './shapes.ts'

const roles = ['user', 'admin', 'superadmin'] as const

const row = z.object({ id: z.uuid(), at: instant, read: z.boolean(), organization: z.string() })
const training = z.string().nullable()
const percent = z.int()

const notificationRow = z.discriminatedUnion('kind', [
  row.extend({ kind: z.literal('order.ready'), training, template: z.string(), machines: z.int() }),
  row.extend({ kind: z.literal('machine.failed'), training, machine: z.string(), reason: z.string() }),
  row.extend({ kind: z.literal('budget.reached'), training, percent }),
  row.extend({ kind: z.literal('budget.cap_reached'), training }),
  row.extend({ kind: z.literal('quota.reached'), training, percent }),
  row.extend({
    kind: z.literal('hand.raised'),
    training,
    by: z.string(),
    reason: z.enum(Object.keys(HAND_REASONS) as [HandReason, ...HandReason[]]).nullable(),
  }),
  row.extend({ kind: z.literal('invitation.bounced'), training, email: z.string(), reason: z.string() }),
  row.extend({ kind: z.literal('request.sent'), training, by: z.string(), request: requestSubject, why: z.string() }),
  row.extend({
    kind: z.literal('request.decided'),
    training,
    request: requestSubject,
    approved: z.boolean(),
    answer: z.string().nullable(),
  }),
])
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
    does: 'Streams the number of unread notifications and the id of the newest one, first the current values, then each change.',
    reply: z.object({ unread: z.int(), newest: z.uuid().nullable() }),
    kind: 'stream',
  }),
}

declare module '../contract.ts' {
  interface Contract {
    notification: typeof notification
  }
}
