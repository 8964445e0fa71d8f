import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_DESCRIPTION_LENGTH,
  WEBHOOK_RESEND_MAX,
  WEBHOOK_URL_LENGTH,
} from './webhook-words.ts'
import { instant, nameOrEmpty, requestedInstant, organisationName } from '@trainyard/platform/contract/shapes.ts'

/** Each call may send up to 1,000 requests to the organisation's server. */
const webhookSends: Limit = { name: 'webhook-sends', per: 'organisation', max: 60, seconds: MINUTE }

const roles = ['admin', 'superadmin'] as const

/** Organisation of the endpoints. Required for superadmins only. */
const organisationRef = z.strictObject({ organization: organisationName.optional() })

const endpointId = z.uuid('must be the id of an endpoint')
const deliveryId = z.uuid('must be the id of a delivery')

const address = z
  .url({ protocol: /^https?$/, error: 'must be an address like https://example.com/webhooks' })
  .max(WEBHOOK_URL_LENGTH, `must be at most ${WEBHOOK_URL_LENGTH} characters long`)
  .meta({ examples: ['https://example.com/webhooks'] })

const description = nameOrEmpty
  .max(WEBHOOK_DESCRIPTION_LENGTH, `must be at most ${WEBHOOK_DESCRIPTION_LENGTH} characters long`)
  .meta({ examples: ['Attendance'] })

const endpoint = z.object({
  id: z.uuid(),
  url: z.string().meta({ examples: ['https://example.com/webhooks'] }),
  description: z.string().meta({ examples: ['Attendance'] }),
  /** Types of events that the endpoint receives. Empty for all types. */
  events: z.array(z.string()).meta({ examples: [['hand.raised']] }),
  created: instant,
  /** Why the endpoint receives no events: disabled by a user, by its reply 410, or after days of failures. */
  disabled: z.object({ at: instant, reason: z.enum(['user', 'gone', 'failing']) }).nullable(),
  /** Time since which every attempt has failed. Null if the last attempt succeeded, or if there was none. */
  failingSince: instant.nullable(),
  /** Time until which the former secret also signs, or null if there is no former secret. */
  formerSecretUntil: instant.nullable(),
  /** Deliveries that have not succeeded yet. */
  pending: z.int().meta({ examples: [1] }),
})
export type WebhookEndpoint = z.output<typeof endpoint>

const delivery = z.object({
  id: z.uuid(),
  /** The value of the header webhook-id, the same in every attempt. */
  eventId: z.uuid(),
  endpoint: z.uuid(),
  type: z.string().meta({ examples: ['hand.raised'] }),
  at: instant,
  state: z.enum(WEBHOOK_DELIVERY_STATES),
  attempts: z.int(),
  /** Status of the last reply. Null if there was no attempt or no reply. */
  status: z
    .int()
    .nullable()
    .meta({ examples: [503] }),
  /**
   * Time of the next attempt. Null if none is scheduled, or if an earlier event of the resource must be delivered
   * first.
   */
  next: instant.nullable().meta({ examples: ['2026-12-01T03:30:05Z'] }),
})
export type WebhookDelivery = z.output<typeof delivery>

const headers = z.record(z.string(), z.string())

const secret = z.object({
  id: z.uuid(),
  secret: z.string().meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
  message: z.string().meta({ examples: ['Done.'] }),
})

const eventsOf = <Type extends string>(types: readonly [Type, ...Type[]]) =>
  z
    .array(z.enum(types))
    .max(types.length)
    .refine((given) => new Set(given).size === given.length, 'must name each event once')
    .meta({ examples: [['hand.raised']] })

/** @param published events that an endpoint can receive, by type */
export const webhookCalls = <Type extends string>(published: Readonly<Record<Type, unknown>>) => {
  const events = eventsOf(Object.keys(published) as [Type, ...Type[]])
  return {
    list: call({
      route: 'GET /webhooks',
      for: roles,
      public: { scope: 'webhook:read', operation: 'listWebhooks' },
      does: 'Lists the webhook endpoints of an organisation, oldest first.',
      query: organisationRef,
      reply: z.object({ endpoints: z.array(endpoint) }),
    }),
    create: call({
      route: 'POST /webhooks',
      for: roles,
      public: { scope: 'webhook:write', operation: 'createWebhook' },
      does: 'Adds a webhook endpoint and returns its signing secret, which cannot be read again. The address must be public and start with https://.',
      audit: 'added a webhook endpoint',
      body: organisationRef.extend({ url: address, description, events }),
      reply: secret,
    }),
    change: call({
      route: 'PATCH /webhooks',
      for: roles,
      public: { scope: 'webhook:write', operation: 'changeWebhook' },
      does: 'Changes a webhook endpoint. A disabled endpoint receives nothing: its pending deliveries fail, and events are not stored for it.',
      audit: 'changed a webhook endpoint',
      body: z.strictObject({ id: endpointId, url: address, description, events, enabled: z.boolean() }),
    }),
    remove: call({
      route: 'DELETE /webhooks',
      for: roles,
      public: { scope: 'webhook:write', operation: 'deleteWebhook' },
      does: 'Deletes a webhook endpoint with its deliveries.',
      audit: 'deleted a webhook endpoint',
      body: z.strictObject({ id: endpointId }),
    }),
    rotate: call({
      route: 'POST /webhooks/secret',
      for: roles,
      public: { scope: 'webhook:write', operation: 'rotateWebhookSecret' },
      does: 'Replaces the signing secret of an endpoint and returns the new one. Deliveries are signed with both secrets for a day.',
      audit: 'replaced the secret of a webhook endpoint',
      body: z.strictObject({ id: endpointId }),
      reply: secret,
    }),
    test: call({
      route: 'POST /webhooks/test',
      for: roles,
      public: { scope: 'webhook:write', operation: 'testWebhook' },
      does: 'Sends a test event to an endpoint.',
      audit: 'sent a test event to a webhook endpoint',
      limit: webhookSends,
      body: z.strictObject({ id: endpointId }),
      reply: z.object({ eventId: z.uuid(), message: z.string().meta({ examples: ['Done.'] }) }),
    }),
    deliveries: call({
      route: 'GET /webhooks/deliveries',
      for: roles,
      public: { scope: 'webhook:read', operation: 'listWebhookDeliveries' },
      does: 'Lists the deliveries to an endpoint, newest first, at most 50. Pass `beforeSequence` to continue.',
      query: z.strictObject({
        id: endpointId,
        state: z.enum(WEBHOOK_DELIVERY_STATES).optional(),
        beforeSequence: z
          .string()
          .regex(/^[1-9][0-9]{0,14}$/, 'must be a value of nextSequence')
          .optional()
          .meta({ examples: ['4711'] }),
      }),
      reply: z.object({
        deliveries: z.array(delivery),
        /** Value of `beforeSequence` for the next page, or null if this is the last page. */
        nextSequence: z
          .string()
          .nullable()
          .meta({ examples: ['4711'] }),
      }),
    }),
    delivery: call({
      route: 'GET /webhooks/delivery',
      for: roles,
      public: { scope: 'webhook:read', operation: 'getWebhookDelivery' },
      does: 'Returns a delivery with its body and its attempts, oldest first. Each attempt has the request and the beginning of the reply.',
      query: z.strictObject({ id: deliveryId }),
      reply: z.object({
        delivery,
        url: z.string().meta({ examples: ['https://example.com/webhooks'] }),
        body: z.string().meta({ examples: ['{"type":"hand.raised","timestamp":"2026-12-01T03:30:00Z","data":{}}'] }),
        attempts: z.array(
          z.object({
            at: instant,
            milliseconds: z.int().meta({ examples: [1_800] }),
            requestHeaders: headers.meta({ examples: [{ 'webhook-id': '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e' }] }),
            /** The reply, or null if there was none. */
            response: z
              .object({
                status: z.int().meta({ examples: [503] }),
                headers: headers.meta({ examples: [{ 'content-type': 'text/plain' }] }),
                body: z.string().meta({ examples: ['Please try again later.'] }),
              })
              .nullable(),
            /** Reason why there was no reply, or null if there was one. */
            failure: z.string().nullable(),
          }),
        ),
      }),
    }),
    resend: call({
      route: 'POST /webhooks/resend',
      for: roles,
      public: { scope: 'webhook:write', operation: 'resendWebhookDeliveries' },
      does: `Sends a single delivery, or all deliveries since a time, to an endpoint again with the same webhook-id. At most ${WEBHOOK_RESEND_MAX} are sent.`,
      audit: 'sent webhook deliveries again',
      limit: webhookSends,
      body: z.discriminatedUnion('range', [
        z.strictObject({ range: z.literal('one'), delivery: deliveryId }),
        z.strictObject({
          range: z.enum(['failed', 'all']),
          id: endpointId,
          since: requestedInstant,
        }),
      ]),
      reply: z.object({ count: z.int(), message: z.string().meta({ examples: ['Done.'] }) }),
    }),
  }
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const webhookActions = {
  'webhook.disabled': 'disabled a webhook endpoint that did not accept events',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    webhook: ReturnType<typeof webhookCalls>
  }
}
