import { sql, type RawBuilder } from 'kysely'
import type { WebhookDelivery } from '../contract/webhook.ts'
import type {
  WebhookEndpointId,
  OrganisationId,
  WebhookDeliveryId,
  WebhookEventId,
} from '@trainyard/platform/contract/words/ids.ts'
import { WEBHOOK_ROTATION_HOURS, TEST_EVENT, WEBHOOK_RESEND_MAX, WEBHOOK_LOG_DAYS } from '../contract/webhook-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { WebhookEndpointRow } from '../tables.gen.ts'

/** A lane that is leased or due. */
export interface Candidate {
  readonly endpoint: WebhookEndpointId
  readonly organisation: OrganisationId
  readonly resource: string
  readonly isFailing: boolean
}

export const DUE = sql`due_at <= portal_now() and (leased_until is null or leased_until <= portal_now())`

/** Maximum number of concurrent requests of all workers together. A failing endpoint gets one request at a time. */
export const PER_ORGANISATION = 4

/** A leased row of `webhook_lane`: the queue of one endpoint for the events of one resource, sent in order. */
export interface Lane {
  readonly endpoint: WebhookEndpointId
  readonly resource: string
  readonly fence: number
  readonly isFailing: boolean
}

/** Longer than the timeout of a request, so that one worker at a time sends the events of a lane. */
const LEASE_SECONDS = 45

export interface NextDelivery {
  readonly id: WebhookDeliveryId
  readonly organisation: OrganisationId
  readonly attempts: number
  readonly event: WebhookEventId
  readonly sequence: number
  readonly type: string
  readonly data: Record<string, unknown>
  readonly at: Date
  readonly url: string
  readonly secret: Buffer
  readonly formerSecret: Buffer | null
}

/** SQL condition: the endpoint `p` belongs to the actor's organisation. Always true for superadmins. */
export const inScope = (actor: Actor) =>
  actor.role === 'superadmin' ? sql<boolean>`true` : sql<boolean>`p.organisation_id = ${actor.organisation?.id ?? null}`

export interface FoundDelivery {
  readonly id: WebhookDeliveryId
  readonly event_id: string
  readonly endpoint_id: string
  readonly url: string
  readonly sequence: number
  readonly type: string
  readonly data: Record<string, unknown>
  readonly at: Date
  readonly state: WebhookDelivery['state']
  readonly attempts: number
  readonly status: number | null
  readonly next: Date | null
}

/** Maximum number of rows per clean-up, which limits its time. The next one continues. */
const BATCH = 5_000

export const selectLeasedLanes = (tx: Tx) =>
  sql<Candidate>`
    select l.endpoint_id as endpoint, l.organisation_id as organisation, l.resource,
      e.failing_since is not null as "isFailing"
    from webhook_lane l join webhook_endpoint e on e.id = l.endpoint_id
    where l.leased_until > portal_now()`.execute(tx)

export const lockFreeLanes = (tx: Tx) =>
  sql<Candidate>`
    select e.id as endpoint, e.organisation_id as organisation, l.resource, e.failing_since is not null as "isFailing"
    from webhook_endpoint e join organisation o on o.id = e.organisation_id and o.removed_at is null
    cross join lateral (
      select resource, due_at from webhook_lane where endpoint_id = e.id and ${DUE}
      order by due_at limit ${PER_ORGANISATION} for update skip locked) as l
    where e.disabled_at is null
    order by l.due_at`.execute(tx)

export const leaseLanes = (tx: Tx, chosen: readonly Candidate[]) =>
  sql<Omit<Lane, 'isFailing'>>`
    update webhook_lane l set leased_until = portal_now() + make_interval(secs => ${LEASE_SECONDS}), fence = fence + 1
    from unnest(${chosen.map(({ endpoint }) => endpoint)}::uuid[], ${chosen.map(({ resource }) => resource)}::text[])
      as chosen (endpoint_id, resource)
    where l.endpoint_id = chosen.endpoint_id and l.resource = chosen.resource
    returning l.endpoint_id as endpoint, l.resource, l.fence`.execute(tx)

export const selectNextDelivery = (db: Db, endpoint: WebhookEndpointId, resource: string) =>
  sql<NextDelivery>`
    select d.id, d.organisation_id as organisation, d.attempts, e.id as event, e.sequence, e.type, e.data,
      e.created_at as at, p.url, p.secret,
      case when p.former_until > portal_now() then p.former_secret end as "formerSecret"
    from webhook_delivery d join webhook_event e on e.id = d.event_id join webhook_endpoint p on p.id = d.endpoint_id
    where d.endpoint_id = ${endpoint} and d.resource = ${resource} and d.state = 'pending'
    order by d.sequence limit 1`.execute(db)

export const releaseLaneRow = (tx: Tx, endpoint: WebhookEndpointId, resource: string, seconds: number) =>
  sql`
    with pending as (select from webhook_delivery
      where endpoint_id = ${endpoint} and resource = ${resource} and state = 'pending' limit 1),
    empty as (delete from webhook_lane
      where endpoint_id = ${endpoint} and resource = ${resource} and not exists (select from pending))
    update webhook_lane set leased_until = null, due_at = portal_now() + make_interval(secs => ${seconds})
    where endpoint_id = ${endpoint} and resource = ${resource} and exists (select from pending)`.execute(tx)

export const failPendingDeliveries = (tx: Tx) =>
  sql`
    with lane as (
      select l.endpoint_id, l.resource from webhook_lane l join webhook_endpoint e on e.id = l.endpoint_id
      where e.disabled_at is not null for update of l skip locked
    ), failed as (
      update webhook_delivery d set state = 'failed' from lane
      where d.endpoint_id = lane.endpoint_id and d.resource = lane.resource and d.state = 'pending'
    )
    delete from webhook_lane l using lane where l.endpoint_id = lane.endpoint_id and l.resource = lane.resource`.execute(
    tx,
  )

export const selectEndpoints = (db: Db, id: OrganisationId) =>
  sql<WebhookEndpointRow & { pending: number; hasFormer: boolean }>`
    select e.*, coalesce(former_until > portal_now(), false) as "hasFormer",
      (select count(*)::int from webhook_delivery where endpoint_id = e.id and state = 'pending') as pending
    from webhook_endpoint e where organisation_id = ${id} order by created_at, id`.execute(db)

export const selectNewId = (tx: Tx) => sql<{ id: WebhookEndpointId }>`select gen_random_uuid() as id`.execute(tx)

export const rotateSecret = (tx: Tx, secret: Buffer, id: WebhookEndpointId) =>
  sql`
    update webhook_endpoint set former_secret = secret,
      former_until = portal_now() + make_interval(hours => ${WEBHOOK_ROTATION_HOURS}),
      secret = ${secret}
    where id = ${id}`.execute(tx)

/** Writes events, and a delivery to each endpoint that receives their type. Writes no event that no endpoint receives. */
export const insertEvents = (tx: Tx, events: string) =>
  sql`
    with given as materialized (
      select gen_random_uuid() as id, g.* from rows from (jsonb_to_recordset(${events}::jsonb)
        as (organisation uuid, type text, resource text, "hasTraining" boolean, training uuid, data jsonb))
        with ordinality as g (organisation, type, resource, has_training, training, data, n)),
    receiver as (
      select given.id, e.id as endpoint from given join webhook_endpoint e on e.organisation_id = given.organisation
        and e.disabled_at is null and (e.events = '{}' or given.type = any (e.events))),
    event as (
      insert into webhook_event (id, organisation_id, type, resource, data)
      select id, organisation, type, resource, data || case when has_training then jsonb_build_object('training',
          (select jsonb_build_object('id', t.id, 'name', t.name) from training t where t.id = given.training))
        else '{}' end
      from given where id in (select id from receiver) order by n
      returning id, organisation_id, resource, sequence),
    delivery as (
      insert into webhook_delivery (organisation_id, event_id, endpoint_id, sequence, resource)
      select organisation_id, event.id, endpoint, sequence, resource from event join receiver using (id))
    -- The update locks the row if it exists: see the comment of the table.
    insert into webhook_lane as lane (endpoint_id, resource, organisation_id)
    select distinct endpoint, resource, organisation_id from event join receiver using (id) order by endpoint, resource
    on conflict (endpoint_id, resource) do update set due_at = lane.due_at`.execute(tx)

export const insertTestEvent = (
  tx: Tx,
  organisation: OrganisationId,
  cause: string,
  data: string,
  endpoint: WebhookEndpointId,
) =>
  sql<{ id: string }>`
    with event as (
      insert into webhook_event (organisation_id, type, resource, data)
      values (${organisation}, ${TEST_EVENT}, ${cause}, ${data}::jsonb) returning id, sequence),
    delivery as (
      insert into webhook_delivery (organisation_id, event_id, endpoint_id, sequence, resource)
      select ${organisation}, id, ${endpoint}, sequence, ${cause} from event),
    lane as (
      insert into webhook_lane as lane (endpoint_id, resource, organisation_id)
      values (${endpoint}, ${cause}, ${organisation})
      on conflict (endpoint_id, resource) do update set due_at = lane.due_at)
    select id from event`.execute(tx)

export const resendDeliveries = (
  tx: Tx,
  endpoint: WebhookEndpointId,
  matches: RawBuilder<unknown>,
  organisation: OrganisationId,
) =>
  sql<{ count: number }>`
    with chosen as (
      select d.id from webhook_delivery d join webhook_event e on e.id = d.event_id
      where d.endpoint_id = ${endpoint} and ${matches} order by d.sequence limit ${WEBHOOK_RESEND_MAX}
    ), again as (
      update webhook_delivery d set state = 'pending', attempts = 0, first_attempt_at = null
      from chosen where d.id = chosen.id returning d.resource
    ), lanes as (
      -- Cancels the pause between retries.
      insert into webhook_lane as lane (endpoint_id, resource, organisation_id)
      select ${endpoint}, resource, ${organisation} from (select distinct resource from again) r
      order by resource
      on conflict (endpoint_id, resource) do update set due_at = portal_now()
    )
    select count(*)::int as count from again`.execute(tx)

export const selectEndpoint = (db: Db, id: string, actor: Actor) =>
  sql<WebhookEndpointRow>`
    select * from webhook_endpoint p where id = ${id} and ${inScope(actor)}`.execute(db)

export const lockEndpointRow = (tx: Tx, id: string, actor: Actor) =>
  sql`select from webhook_endpoint p where id = ${id} and ${inScope(actor)} for no key update`.execute(tx)

export const selectEndpointOfDelivery = (tx: Tx, delivery: string, actor: Actor) =>
  sql<{ id: string }>`
    select p.id from webhook_delivery d join webhook_endpoint p on p.id = d.endpoint_id
    where d.id = ${delivery} and ${inScope(actor)}`.execute(tx)

export const selectDeliveries = (db: Db, matches: RawBuilder<unknown>, limit: number) =>
  sql<FoundDelivery>`
    select d.id, d.event_id, d.endpoint_id, p.url, d.sequence, e.type, e.data, e.created_at as at, d.state, d.attempts,
      (select status from webhook_attempt where delivery_id = d.id order by id desc limit 1) as status,
      (select l.due_at from webhook_lane l where d.state = 'pending' and l.endpoint_id = d.endpoint_id
        and l.resource = d.resource and not exists (select from webhook_delivery earlier
          where earlier.endpoint_id = d.endpoint_id and earlier.resource = d.resource and earlier.state = 'pending'
          and earlier.sequence < d.sequence)) as next
    from webhook_delivery d join webhook_event e on e.id = d.event_id join webhook_endpoint p on p.id = d.endpoint_id
    where ${matches} order by d.sequence desc limit ${limit}`.execute(db)

export const deleteOldEvents = (tx: Tx) =>
  sql`
    delete from webhook_event where id in (
      select id from webhook_event e where created_at < portal_now() - make_interval(days => ${WEBHOOK_LOG_DAYS})
        and not exists (select from webhook_delivery where event_id = e.id and state = 'pending')
      order by created_at limit ${BATCH})`.execute(tx)

export const deleteFormerSecrets = (tx: Tx) =>
  sql`
    update webhook_endpoint set former_secret = null, former_until = null
    where former_until <= portal_now()`.execute(tx)

export const selectWaitingDeliveries = (db: Db) =>
  sql<{ count: number; delay: number }>`
    select (select count(*)::int from webhook_delivery where state = 'pending') as count,
      coalesce(extract(epoch from portal_now() - min(l.due_at)), 0)::float8 as delay
    from webhook_lane l join webhook_endpoint e on e.id = l.endpoint_id
    where l.due_at < portal_now() and e.disabled_at is null and e.failing_since is null`.execute(db)
