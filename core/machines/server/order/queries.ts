import { sql } from 'kysely'
import type {
  OrganisationId,
  TrainingId,
  OrderId,
  MachineId,
  TemplateId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { PUBLIC_ADDRESSES } from '@trainyard/templates/server/cloud.ts'
import type { ImageReference } from '@trainyard/templates/contract/provider.ts'
import { hasImagePassword, imageOf } from '@trainyard/templates/server/image.ts'
import type { OfferingPlace } from '@trainyard/templates/server/queries.ts'
import { ADMIN_USERNAME } from '../credentials.ts'

export interface Offer {
  readonly cores: number
  readonly withheld: string | null
  /** Number of machines or cores that can still be ordered; null if the provider reported no limit. */
  readonly left: number | null
}

export const updateReadyOrders = (tx: Tx) =>
  sql<{ id: OrderId; organisation: OrganisationId; training: TrainingId; template: string; machines: number }>`
    update machine_order o set ready_at = portal_now() where ready_at is null and not exists
      (select from machine m where m.order_id = o.id and m.first_seen_at is null and m.terminated_at is null)
    returning id, organisation_id as organisation, training_id as training, template_name as template,
      machine_count as machines`.execute(tx)

export const insertMachines = (
  tx: Tx,
  input: {
    readonly organisation: OrganisationId
    readonly training: TrainingId
    readonly order: OrderId
    readonly guacamole: boolean
    readonly price: Paise
    readonly allocatedHours: number | null
    readonly spare: boolean
    readonly desired: string
    readonly isPlanned: boolean
    readonly plannedFor: string | null
    readonly machines: { id: MachineId; number: number; name: string; email: string; password: Buffer }[]
    readonly numbers: readonly number[]
    readonly emails: readonly string[]
    readonly orderedFor: string | null
    readonly template: TemplateId
  },
) =>
  sql`
    insert into machine (id, number, name, email, ordered_for, admin_password, organisation_id, training_id, order_id,
      provider, place, size, image, os, licence, azure_tags, admin_username, guacamole, paise_per_hour, allotted_minutes, password_due, desired, create_later, stop_reason,
      spare, withheld_at)
    overriding system value
    select row.id, row.number, row.name, row.email, coalesce(${input.orderedFor}, row.email), row.password, ${input.organisation}, ${input.training}, ${input.order},
      t.provider, t.place, t.size, t.image, t.os, t.licence, t.azure_tags, ${ADMIN_USERNAME}, ${input.guacamole}, ${input.price}::bigint,
      ${input.allocatedHours}::integer, ${sqlOf(hasImagePassword, imageOf('t'))},
      ${input.desired}, ${input.isPlanned}, ${input.plannedFor}, ${input.spare}, case when ${input.spare} then portal_now() end
    from template t, unnest(${input.machines.map((m) => m.id)}::uuid[], ${input.numbers}::bigint[],
      ${input.machines.map((m) => m.name)}::text[], ${input.emails}::text[], ${input.machines.map((m) => m.password)}::bytea[])
      as row (id, number, name, email, password)
    where t.id = ${input.template}`.execute(tx)

/** Inserts a copy of an order for one of its machines. Its `ready_at` is set, so that no user gets a notice. */
export const insertOrderCopy = (tx: Tx, order: OrderId) =>
  sql<{ id: OrderId }>`
    insert into machine_order (organisation_id, training_id, template_name, ordered_by, machine_count, allotted_minutes,
      created_at, ready_at)
    select organisation_id, training_id, template_name, ordered_by, 1, allotted_minutes, created_at,
      coalesce(ready_at, portal_now())
    from machine_order where id = ${order} returning id`.execute(tx)

export const nextNumbers = (tx: Tx, count: number) =>
  sql<{ number: number }>`
    select nextval(pg_get_serial_sequence('machine', 'number')) as number from generate_series(1, ${count}::integer)`.execute(
    tx,
  )

/** Returns whether offers of the place were read, and the provider's reason not to create machines from the image. */
export const selectOffered = (tx: Tx, { provider, location, image }: OfferingPlace & { image: ImageReference }) =>
  sql<{ isKnown: boolean; refusal: string | null }>`
    select exists (select from cloud_place where provider = ${provider} and location = ${location}) as "isKnown",
      (select refusal from cloud_terms where provider = ${provider} and image = ${JSON.stringify(image)}::jsonb) as refusal`.execute(
    tx,
  )

export const selectIsClosed = (tx: Tx, { provider, location }: OfferingPlace) =>
  sql<{ closed: boolean | null }>`
    select count(*) > 1 and bool_and(withheld is not null) as closed from cloud_size
    where provider = ${provider} and location = ${location}`.execute(tx)

export const selectAddressLimit = (tx: Tx, { provider, location }: OfferingPlace) =>
  sql<{ left: number; allowed: number }>`
    select allowed::int, (allowed - greatest(used,
      (select count(*) from machine where terminated_at is null and address_kind = 'public address'
        and provider = ${provider} and location = ${location})))::int as left
    from cloud_limit where provider = ${provider} and location = ${location} and family = ${PUBLIC_ADDRESSES}`.execute(
    tx,
  )

export const selectOffer = (tx: Tx, { provider, location }: OfferingPlace, size: string) =>
  sql<Offer>`
    with ours as (
      select s.family, sum(s.cores)::int as cores from machine m
      join cloud_size s on s.provider = m.provider and s.location = m.location and s.size = m.size_name
      where m.terminated_at is null and m.provider = ${provider} and m.location = ${location} group by s.family)
    select s.cores, s.withheld, (
      select min(l.allowed - greatest(l.used, coalesce(
        (select sum(o.cores) from ours o where l.family = 'cores' or o.family = l.family), 0)))::int
      from cloud_limit l where l.provider = s.provider and l.location = s.location and (l.family = 'cores' or lower(l.family) = lower(s.family))
    ) as left
    from cloud_size s where s.provider = ${provider} and s.location = ${location} and lower(s.size) = lower(${size})`.execute(
    tx,
  )

export const selectWaitMinutes = (tx: Tx) =>
  sql<{ first: number | null; each: number | null }>`
    with latest as (select id, machine_count, created_at from machine_order order by created_at desc limit 30),
    took as (
      select l.machine_count,
        extract(epoch from min(m.first_seen_at) - l.created_at) as first,
        extract(epoch from max(m.first_seen_at) - min(m.first_seen_at)) as rest
      from latest l join machine m on m.order_id = l.id
      group by l.id, l.machine_count, l.created_at
      -- Excludes orders with a machine that was created later: one that was reset, or that replaced another.
      having count(*) = count(m.first_seen_at) and not bool_or(m.reset_count > 0 or m.created_at > l.created_at + interval '1 minute') and min(m.first_seen_at) > l.created_at)
    select percentile_cont(0.5) within group (order by first)::float8 as first,
      (percentile_cont(0.5) within group (order by rest / (machine_count - 1))
        filter (where machine_count > 1))::float8 as each
    from took`.execute(tx)
