/** Types of events that webhook endpoints can receive, each with the text that users read when they choose events. */
export const WEBHOOK_EVENTS = {
  'machine.created': 'A machine was created at the provider',
  'machine.started': 'A machine runs',
  'machine.stopped': 'A machine was stopped',
  'machine.failed': 'A machine cannot be brought to its desired state',
  'machine.assigned': 'A machine was handed over to another learner',
  'machine.deleted': 'A machine was deleted',
  'order.created': 'Machines were ordered',
  'order.ready': 'All machines of an order have been created',
  'training.created': 'A training was created',
  'training.removed': 'A training was deleted',
  'training.restored': 'A deleted training was ordered again',
  'budget.reached': 'A budget reached a threshold',
  'budget.cap_reached': 'A budget is used up and its machines are stopped',
  'quota.reached': 'The allotted hours of a training reached a threshold',
  'invoice.issued': 'An invoice was issued',
  'invoice.credited': 'A credit note was issued',
  'invoice.reversed': 'An invoice was reversed',
  'payment.received': 'A payment was received',
  'payment.refunded': 'A payment was refunded',
  'payment.reversed': 'A payment was reversed',
  'hand.raised': 'A learner raised a hand',
  'hand.lowered': 'A raised hand was lowered',
  'registration.requested': 'A learner registered and waits for approval',
  'registration.waiting': 'A learner joined the waiting list of a registration link',
  'registration.approved': 'A registration was approved',
  'registration.declined': 'A registration was declined',
  'registration.seated': 'A learner got a seat of a registration link',
  'registration.link_full': 'All seats of a registration link are taken',
} as const
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as [WebhookEventType, ...WebhookEventType[]]

/** Type of the event that a user sends to try an endpoint. Every endpoint receives it. */
export const TEST_EVENT = 'webhook.test'

export const WEBHOOK_ENDPOINTS_MAX = 10
export const WEBHOOK_URL_LENGTH = 2_000
export const WEBHOOK_DESCRIPTION_LENGTH = 200

/** Hours after a rotation in which requests are also signed with the former secret. */
export const WEBHOOK_ROTATION_HOURS = 24
/** Days for which events and deliveries are stored. */
export const WEBHOOK_LOG_DAYS = 30
/** Maximum number of deliveries that one call sends again. */
export const WEBHOOK_RESEND_MAX = 1_000

export const WEBHOOK_DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
