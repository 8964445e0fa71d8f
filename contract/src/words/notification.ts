import { type RequestSubject, requestText } from './change-request.ts'
import { HAND_REASONS, type HandReason } from './classroom.ts'

/** Days after which a notification is deleted, read or not. */
export const NOTIFICATION_DAYS = 90
/** Maximum number of notifications in a list. Older ones are not counted as unread. */
export const NOTIFICATIONS_MAX = 200

/** Event of a notification. `training` is null for an event of the organisation. */
export type NotificationEvent = { readonly training: string | null } & (
  | { readonly kind: 'order.ready'; readonly template: string; readonly machines: number }
  | { readonly kind: 'machine.failed'; readonly machine: string; readonly reason: string }
  | { readonly kind: 'budget.reached'; readonly percent: number }
  | { readonly kind: 'budget.cap_reached' }
  | { readonly kind: 'quota.reached'; readonly percent: number }
  | { readonly kind: 'hand.raised'; readonly by: string; readonly reason: HandReason | null }
  | { readonly kind: 'invitation.bounced'; readonly email: string; readonly reason: string }
  | { readonly kind: 'request.sent'; readonly by: string; readonly request: RequestSubject; readonly why: string }
  | {
      readonly kind: 'request.decided'
      readonly request: RequestSubject
      readonly approved: boolean
      readonly answer: string | null
    }
)

export type NotificationKind = NotificationEvent['kind']

const budgetName = (training: string | null) => training ?? 'this month'

/** Returns the text of a notification: one or two sentences. */
export function notificationText(event: NotificationEvent): string {
  switch (event.kind) {
    case 'order.ready':
      return event.machines === 1
        ? `The machine ordered from ${event.template} has been created.`
        : `The ${event.machines} machines ordered from ${event.template} have been created.`
    case 'machine.failed':
      return `${event.machine} is failing: ${event.reason}`
    case 'budget.reached':
      return `${event.percent} % of the budget of ${budgetName(event.training)} is used.`
    case 'budget.cap_reached':
      return `The budget of ${budgetName(event.training)} is used up. Its machines are being stopped.`
    case 'quota.reached':
      return `${event.percent} % of the allotted hours are used.`
    case 'hand.raised':
      return `${event.by} raised a hand${event.reason === null ? '' : `: ${HAND_REASONS[event.reason]}`}.`
    case 'invitation.bounced':
      return `The invitation to ${event.email} was not delivered: ${event.reason}`
    case 'request.sent':
      return `${event.by} requests ${requestText(event.request)}: ${event.why}`
    case 'request.decided':
      return `Your request was ${event.approved ? 'approved' : 'refused'}: ${requestText(event.request)}.${event.answer === null ? '' : ` ${event.answer}`}`
  }
}
