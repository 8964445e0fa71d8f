import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_DESCRIPTION_LENGTH,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_RESEND_MAX,
  WEBHOOK_URL_LENGTH,
} from '../words/webhook.ts'
import { instant, message, name, nameOrEmpty, requestedInstant } from './shapes.ts'

const roles = ['admin', 'superadmin'] as const

/** Organisation of the endpoints. Required for superadmins only. */
const organisationRef = z.strictObject({ organization: name.optional() })

const endpointId = z.uuid('must be the id of an endpoint')
const deliveryId = z.uuid('must be the id of a delivery')

const address = z
  .url({ protocol: /^https?$/, error: 'must be an address like https://example.com/webhooks' })
  .max(WEBHOOK_URL_LENGTH, `must be at most ${WEBHOOK_URL_LENGTH} characters long`)

const events = z
  .array(z.enum(WEBHOOK_EVENT_TYPES))
  .max(WEBHOOK_EVENT_TYPES.length)
  .refine((given) => new Set(given).size === given.length, 'must name each event once')

const description = nameOrEmpty.max(
  WEBHOOK_DESCRIPTION_LENGTH,
  `must be at most ${WEBHOOK_DESCRIPTION_LENGTH} characters long`,
)

const endpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  /** Types of events that the endpoint receives. Empty for all types. */
  events: z.array(z.string()),
  created: instant,
  /** Why the endpoint receives no events: disabled by a user, by its reply 410, or after days of failures. */
  disabled: z.object({ at: instant, reason: z.enum(['user', 'gone', 'failing']) }).nullable(),
  /** Time since which every attempt has failed. Null if the last attempt succeeded, or if there was none. */
  failingSince: instant.nullable(),
  /** Time until which the former secret also signs, or null if there is no former secret. */
  formerSecretUntil: instant.nullable(),
  /** Deliveries that have not succeeded yet. */
  pending: z.int(),
})
export type WebhookEndpoint = z.output<typeof endpoint>

const delivery = z.object({
  id: z.uuid(),
  /** The value of the header webhook-id, the same in every attempt. */
  eventId: z.uuid(),
  endpoint: z.uuid(),
  type: z.string(),
  at: instant,
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  attempts: z.int(),
  /** Status of the last reply. Null if there was no attempt or no reply. */
  status: z.int().nullable(),
  /**
   * Time of the next attempt. Null if none is scheduled, or if an earlier event of the resource must be delivered
   * first.
   */
  next: instant.nullable(),
})
export type WebhookDelivery = z.output<typeof delivery>

const headers = z.record(z.string(), z.string())

const secret = z.object({ id: z.uuid(), secret: z.string(), message: z.string() })

export const webhook = {
  list: defineCall({
    method: 'GET',
    path: '/webhooks',
    roles,
    freshProof: 'none: reads only',
    publicApi: { scope: 'webhook:read', operation: 'listWebhooks' },
    summary: 'Lists the webhook endpoints of an organisation, oldest first.',
    query: organisationRef,
    reply: z.object({ endpoints: z.array(endpoint) }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/webhooks',
    roles,
    freshProof: 'none: sends events, changes no sign-in',
    publicApi: { scope: 'webhook:write', operation: 'createWebhook' },
    summary:
      'Adds a webhook endpoint and returns its signing secret, which cannot be read again. The address must be public and start with https://.',
    body: organisationRef.extend({ url: address, description, events }),
    reply: secret,
  }),
  change: defineCall({
    method: 'PATCH',
    path: '/webhooks',
    roles,
    freshProof: 'none: sends events, changes no sign-in',
    publicApi: { scope: 'webhook:write', operation: 'changeWebhook' },
    summary:
      'Changes a webhook endpoint. A disabled endpoint receives nothing: its pending deliveries fail, and events are not stored for it.',
    body: z.strictObject({ id: endpointId, url: address, description, events, enabled: z.boolean() }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/webhooks',
    roles,
    freshProof: 'none: sends events, changes no sign-in',
    publicApi: { scope: 'webhook:write', operation: 'deleteWebhook' },
    summary: 'Deletes a webhook endpoint with its deliveries.',
    body: z.strictObject({ id: endpointId }),
    reply: message,
  }),
  rotate: defineCall({
    method: 'POST',
    path: '/webhooks/secret',
    roles,
    freshProof: 'none: sends events, changes no sign-in',
    publicApi: { scope: 'webhook:write', operation: 'rotateWebhookSecret' },
    summary:
      'Replaces the signing secret of an endpoint and returns the new one. Deliveries are signed with both secrets for a day.',
    body: z.strictObject({ id: endpointId }),
    reply: secret,
  }),
  test: defineCall({
    method: 'POST',
    path: '/webhooks/test',
    roles,
    freshProof: 'none: sends events, changes no sign-in',
    publicApi: { scope: 'webhook:write', operation: 'testWebhook' },
    summary: 'Sends a test event to an endpoint.',
    body: z.strictObject({ id: endpointId }),
    reply: z.object({ eventId: z.uuid(), message: z.string() }),
  }),
  deliveries: defineCall({
    method: 'GET',
    path: '/webhooks/deliveries',
    roles,
    freshProof: 'none: reads only',
    publicApi: { scope: 'webhook:read', operation: 'listWebhookDeliveries' },
    summary: 'Lists the deliveries to an endpoint, newest first, at most 50. Pass `beforeSequence` to continue.',
    query: z.strictObject({
      id: endpointId,
      state: z.enum(WEBHOOK_DELIVERY_STATES).optional(),
      beforeSequence: z
        .string()
        .regex(/^[1-9][0-9]{0,14}$/, 'must be a value of nextSequence')
        .optional(),
    }),
    reply: z.object({
      deliveries: z.array(delivery),
      /** Value of `beforeSequence` for the next page, or null if this is the last page. */
      nextSequence: z.string().nullable(),
    }),
  }),
  delivery: defineCall({
    method: 'GET',
    path: '/webhooks/delivery',
    roles,
    freshProof: 'none: reads only',
    publicApi: { scope: 'webhook:read', operation: 'getWebhookDelivery' },
    summary:
      'Returns a delivery with its body and its attempts, oldest first. Each attempt has the request and the beginning of the reply.',
    query: z.strictObject({ id: deliveryId }),
    reply: z.object({
      delivery,
      url: z.string(),
      body: z.string(),
      attempts: z.array(
        z.object({
          at: instant,
          milliseconds: z.int(),
          requestHeaders: headers,
          /** The reply, or null if there was none. */
          response: z.object({ status: z.int(), headers, body: z.string() }).nullable(),
          /** Reason why there was no reply, or null if there was one. */
          failure: z.string().nullable(),
        }),
      ),
    }),
  }),
  resend: defineCall({
    method: 'POST',
    path: '/webhooks/resend',
    roles,
    freshProof: 'none: sends events, changes no sign-in',
    publicApi: { scope: 'webhook:write', operation: 'resendWebhookDeliveries' },
    summary: `Sends a single delivery, or all deliveries since a time, to an endpoint again with the same webhook-id. At most ${WEBHOOK_RESEND_MAX} are sent.`,
    body: z.discriminatedUnion('range', [
      z.strictObject({ range: z.literal('one'), delivery: deliveryId }),
      z.strictObject({
        range: z.enum(['failed', 'all']),
        id: endpointId,
        since: requestedInstant,
      }),
    ]),
    reply: z.object({ count: z.int(), message: z.string() }),
  }),
}
