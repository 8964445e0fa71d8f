import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/platform/contract/words/limits.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { Plan } from './cloud.ts'

export interface CapturedImage {
  readonly organisation_id: OrganisationId
  readonly organisation: string
  readonly machine: string
  readonly os: OperatingSystem
  readonly location: string
  readonly ready: boolean
}

const FRESH = sql`interval '10 minutes'`

/** The plan's name is the SKU in the image's `publisher:offer:sku:version`. */
const planName = sql`split_part(t.image_id, ':', 3)`

export type Sizes = ReplyOf<typeof template.sizes>['sizes']

export const selectCapturedImage = (tx: Tx, imageId: string) =>
  sql<CapturedImage>`
    select i.organisation_id, o.name as organisation, m.name as machine, m.os, m.location,
      i.ready_at is not null as ready
    from image i join machine m on m.id = i.machine_id join organisation o on o.id = i.organisation_id
    -- The ID of an image definition refers to its only version.
    where starts_with(lower(${imageId}) || '/', lower(regexp_replace(i.image_id, '/versions/[^/]*$', '')) || '/')`.execute(
    tx,
  )

export const selectLocationsToRead = (db: Db) =>
  sql<{ location: string }>`
    select distinct t.location from template t
    where not exists (select from cloud_place p where p.location = t.location and p.looked_at > portal_now() - ${FRESH})
    order by t.location`.execute(db)

export const selectPlansToRead = (db: Db) =>
  sql<Plan>`
    select distinct t.plan_publisher as publisher, t.plan_product as product, ${planName} as name from template t
    where t.plan_publisher is not null and not exists (
      select from cloud_terms c where c.publisher = t.plan_publisher and c.product = t.plan_product
        and c.plan = ${planName} and c.looked_at > portal_now() - ${FRESH})`.execute(db)

export const upsertPlace = (tx: Tx, location: string) =>
  sql`
    insert into cloud_place (location, looked_at) values (${location}, portal_now())
    on conflict (location) do update set looked_at = excluded.looked_at`.execute(tx)

export const upsertTerms = (db: Db, publisher: string, product: string, name: string, accepted: boolean) =>
  sql`
    insert into cloud_terms (publisher, product, plan, accepted, looked_at)
    values (${publisher}, ${product}, ${name}, ${accepted}, portal_now())
    on conflict (publisher, product, plan) do update
      set accepted = excluded.accepted, looked_at = excluded.looked_at`.execute(db)

export const selectSizes = (db: Db, location: string) =>
  sql<Sizes[number]>`
    select s.size, s.cores, round(s.memory_mb / 1024.0, 1)::float8 as "memoryGb", s.withheld is null as available,
      (select greatest(0, min(l.allowed - l.used))::int from cloud_limit l
        where l.location = s.location and (l.family = 'cores' or lower(l.family) = lower(s.family))) as "coresLeft"
    from cloud_size s where s.location = ${location}
    order by s.cores, s.memory_mb, s.size`.execute(db)

/** Returns the templates that organisations can order, with the tags of their organisations. */
export const selectTemplateNeeds = (db: Db) =>
  sql<{ template: string; tags: AzureTags }>`
    select distinct a.template_id as template, o.azure_tags as tags from template_assignment a
    join organisation o on o.id = a.organisation_id where o.removed_at is null`.execute(db)
