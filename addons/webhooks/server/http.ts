import { sql } from 'kysely'
import type { WebhookDelivery, WebhookEndpoint } from '../contract/webhook.ts'
import type { z } from 'zod'
import type { testEvent } from '../contract/webhook-event.ts'
import { WEBHOOK_ENDPOINTS_MAX, WEBHOOK_ROTATION_HOURS } from '../contract/webhook-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { WebhookEndpointRow } from '../tables.gen.ts'
import type { Webhooks } from './webhooks-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { webhookSecretContext } from './encryption-context.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { webhookBodyOf } from './deliver.ts'
import { failPendingOfDisabled } from './disable.ts'
import {
  selectEndpoints,
  selectNewId,
  rotateSecret,
  insertTestEvent,
  resendDeliveries,
  selectEndpoint,
  lockEndpointRow,
  selectEndpointOfDelivery,
  selectDeliveries,
  inScope,
  type FoundDelivery,
} from './queries.ts'
import { newWebhookSecret } from './signature.ts'

/** Number of deliveries per page. */
const PAGE = 50

interface Dependencies {
  readonly seal: Seal
  readonly webhooks: Pick<Webhooks, 'refusalOf'>
}

export const webhookHandlers = ({ seal, webhooks }: Dependencies): HandlersOf<'webhook'> => ({
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const { rows } = await selectEndpoints(db, id)
    return { endpoints: rows.map(endpointView) }
  },

  async create(tx, { actor, body, auditChange }) {
    const { id: organisation } = await organisationInScope(tx, actor, body.organization)
    const url = allowedUrl(webhooks, body.url)
    await lockOrganisation(tx, organisation, 'change')
    const { count } = await tx
      .selectFrom('webhook_endpoint')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('organisation_id', '=', organisation)
      .executeTakeFirstOrThrow()
    if (count >= WEBHOOK_ENDPOINTS_MAX) {
      throw conflict(
        `The organisation has ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints. Delete one before you add another.`,
      )
    }
    const secret = newWebhookSecret()
    const { rows } = await selectNewId(tx)
    const { id } = rows[0]!
    const { description, events } = body
    await tx
      .insertInto('webhook_endpoint')
      .values({
        id,
        organisation_id: organisation,
        url,
        description,
        events,
        secret: seal.seal(secret, webhookSecretContext(id)),
      })
      .execute()
    auditChange(null, { id, url, description, events })
    return { id, secret, message: `The webhook endpoint ${url} was added.` }
  },

  async change(tx, { actor, body, auditChange }) {
    const endpoint = await lockEndpoint(tx, actor, body.id)
    const url = allowedUrl(webhooks, body.url)
    const { description, events, enabled } = body
    const isChanged = enabled !== (endpoint.disabled_at === null)
    await tx
      .updateTable('webhook_endpoint')
      .set({
        url,
        description,
        events,
        ...(isChanged && {
          disabled_at: enabled ? null : sql<Date>`portal_now()`,
          disabled_reason: enabled ? null : 'user',
          failing_since: null,
        }),
      })
      .where('id', '=', endpoint.id)
      .execute()
    if (isChanged && !enabled) await failPendingOfDisabled(tx)
    auditChange(auditView(endpoint), { url, description, events, enabled })
    return { message: `The webhook endpoint ${url} was changed.` }
  },

  async remove(tx, { actor, body, auditChange }) {
    const endpoint = await lockEndpoint(tx, actor, body.id)
    await tx.deleteFrom('webhook_endpoint').where('id', '=', endpoint.id).execute()
    auditChange(auditView(endpoint), null)
    return { message: `The webhook endpoint ${endpoint.url} was deleted.` }
  },

  async rotate(tx, { actor, body }) {
    const { id, url } = await lockEndpoint(tx, actor, body.id)
    const secret = newWebhookSecret()
    await rotateSecret(tx, seal.seal(secret, webhookSecretContext(id)), id)
    return {
      id,
      secret,
      message: `The secret of ${url} was replaced. The former one signs too for ${WEBHOOK_ROTATION_HOURS} hours.`,
    }
  },

  async test(tx, { actor, body }) {
    const endpoint = await lockEndpoint(tx, actor, body.id)
    requireEnabled(endpoint)
    const data: Omit<z.output<typeof testEvent>, 'version' | 'sequence'> = {
      message: 'This is a test event.',
    }
    const { rows } = await insertTestEvent(
      tx,
      endpoint.organisation_id,
      `test:${endpoint.id}`,
      JSON.stringify(data),
      endpoint.id,
    )
    return { eventId: rows[0]!.id, message: `A test event is being sent to ${endpoint.url}.` }
  },

  async deliveries(db, { actor, query }) {
    const endpoint = await findEndpoint(db, actor, query.id)
    const found = await findDeliveries(
      db,
      sql`d.endpoint_id = ${endpoint.id} and (${query.state ?? null}::text is null or d.state = ${query.state ?? null})
        and (${query.beforeSequence ?? null}::bigint is null or d.sequence < ${query.beforeSequence ?? null})`,
      PAGE + 1,
    )
    const page = found.slice(0, PAGE)
    return {
      deliveries: page.map(deliveryView),
      nextSequence: found.length > PAGE ? String(page.at(-1)!.sequence) : null,
    }
  },

  async delivery(db, { actor, query }) {
    const [found] = await findDeliveries(db, sql`d.id = ${query.id} and ${inScope(actor)}`, 1)
    if (found === undefined) throw notFound('delivery')
    const attempts = await db
      .selectFrom('webhook_attempt')
      .selectAll()
      .where('delivery_id', '=', found.id)
      .orderBy('id')
      .execute()
    return {
      delivery: deliveryView(found),
      url: found.url,
      body: webhookBodyOf(found),
      attempts: attempts.map(
        ({ at, milliseconds, request_headers, status, response_headers, response_body, error }) => ({
          at: at.toISOString(),
          milliseconds,
          requestHeaders: request_headers as Record<string, string>,
          response:
            status === null
              ? null
              : { status, headers: response_headers as Record<string, string>, body: response_body! },
          failure: error,
        }),
      ),
    }
  },

  async resend(tx, { actor, body }) {
    const { range } = body
    const [endpoint, matches] =
      range === 'one'
        ? [await lockEndpointOf(tx, actor, body.delivery), sql`d.id = ${body.delivery}`]
        : [
            await lockEndpoint(tx, actor, body.id),
            sql`e.created_at >= ${body.since}::timestamptz and d.state ${range === 'failed' ? sql`= 'failed'` : sql`<> 'pending'`}`,
          ]
    requireEnabled(endpoint)
    const { rows } = await resendDeliveries(tx, endpoint.id, matches, endpoint.organisation_id)
    const { count } = rows[0]!
    return { count, message: count === 1 ? 'One event is being sent again.' : `${count} events are being sent again.` }
  },
})

/** Returns the normalised URL of a receiver. @throws Problem invalid for an address that is not allowed */
function allowedUrl(webhooks: Dependencies['webhooks'], url: string): string {
  const refusal = webhooks.refusalOf(url)
  if (refusal !== null) throw new Problem('invalid', refusal)
  return new URL(url).href
}

/** @throws Problem conflict */
function requireEnabled({ disabled_at }: WebhookEndpointRow): void {
  if (disabled_at !== null) throw conflict('The endpoint is disabled. Enable it first.')
}

async function findEndpoint(db: Db, actor: Actor, id: string): Promise<WebhookEndpointRow> {
  const { rows } = await selectEndpoint(db, id, actor)
  if (rows[0] === undefined) throw notFound('webhook endpoint')
  return rows[0]
}

/** Locks an endpoint. @throws Problem notFound, the same for another organisation's endpoint */
async function lockEndpoint(tx: Tx, actor: Actor, id: string): Promise<WebhookEndpointRow> {
  await lockEndpointRow(tx, id, actor)
  return findEndpoint(tx, actor, id)
}

/** Locks the endpoint of a delivery. @throws Problem notFound */
async function lockEndpointOf(tx: Tx, actor: Actor, delivery: string): Promise<WebhookEndpointRow> {
  const { rows } = await selectEndpointOfDelivery(tx, delivery, actor)
  if (rows[0] === undefined) throw notFound('delivery')
  return lockEndpoint(tx, actor, rows[0].id)
}

async function findDeliveries(db: Db, matches: ReturnType<typeof sql>, limit: number): Promise<FoundDelivery[]> {
  const { rows } = await selectDeliveries(db, matches, limit)
  return rows
}

const deliveryView = (row: FoundDelivery): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  endpoint: row.endpoint_id,
  type: row.type,
  at: row.at.toISOString(),
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  next: row.next?.toISOString() ?? null,
})

const endpointView = (row: WebhookEndpointRow & { pending: number; hasFormer: boolean }): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  created: row.created_at.toISOString(),
  disabled: row.disabled_at === null ? null : { at: row.disabled_at.toISOString(), reason: row.disabled_reason! },
  failingSince: row.failing_since?.toISOString() ?? null,
  formerSecretUntil: row.hasFormer ? row.former_until!.toISOString() : null,
  pending: row.pending,
})

const auditView = ({ id, url, description, events, disabled_at }: WebhookEndpointRow) => ({
  id,
  url,
  description,
  events,
  enabled: disabled_at === null,
})
