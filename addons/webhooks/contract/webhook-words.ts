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
