import { type RawBuilder, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { template } from '../contract/template.ts'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { OperatingSystem } from '@trainyard/platform/contract/words/limits.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { sharedImageId } from './image.ts'
import type { ImageReference } from '../contract/provider.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'

export interface CapturedImage {
  readonly organisation_id: OrganisationId
  readonly organisation: string
  readonly machine: string
  readonly os: OperatingSystem
  readonly location: string
  readonly ready: boolean
}

const FRESH = sql`interval '10 minutes'`

export type Sizes = ReplyOf<typeof template.sizes>['sizes']

/** An image as a template or a machine refers to it. */
export interface ImageRef {
  readonly provider: string
  readonly image_id: string
}

const comparableId = (provider: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`coalesce(${sqlOf(sharedImageId, { provider, id })}, ${id})`

export const selectCapturedImage = (tx: Tx, { provider, image_id }: ImageRef) =>
  sql<CapturedImage>`
    select i.organisation_id, o.name as organisation, m.name as machine, m.os, m.location,
      i.ready_at is not null as ready
    from image i join machine m on m.id = i.machine_id join organisation o on o.id = i.organisation_id
    where m.provider = ${provider} and ${comparableId(sql`m.provider`, sql`i.image_id`)}
      = ${comparableId(sql`${provider}::text`, sql`${image_id}::text`)}`.execute(tx)

/** Place of a provider whose sizes and limits are read together. */
export interface OfferingPlace {
  readonly provider: string
  readonly location: string
}

export const selectLocationsToRead = (db: Db) =>
  sql<OfferingPlace>`
    select distinct t.provider, t.location from template t
    where not exists (
      select from cloud_place p where p.provider = t.provider and p.location = t.location
        and p.looked_at > portal_now() - ${FRESH})
    order by t.provider, t.location`.execute(db)

interface ImageOfProvider {
  readonly provider: string
  readonly image: ImageReference
}

export const selectImagesToRead = (db: Db) =>
  sql<ImageOfProvider>`
    select distinct t.provider, t.image from template t
    where not exists (
      select from cloud_terms c where c.provider = t.provider and c.image = t.image
        and c.looked_at > portal_now() - ${FRESH})
    order by t.provider, t.image`.execute(db)

export const upsertPlace = (tx: Tx, { provider, location }: OfferingPlace) =>
  sql`
    insert into cloud_place (provider, location, looked_at) values (${provider}, ${location}, portal_now())
    on conflict (provider, location) do update set looked_at = excluded.looked_at`.execute(tx)

export const upsertTerms = (db: Db, { provider, image }: ImageOfProvider, accepted: TrueOrReason) =>
  sql`
    insert into cloud_terms (provider, image, refusal, looked_at)
    values (${provider}, ${JSON.stringify(image)}::jsonb, ${accepted === true ? null : accepted}, portal_now())
    on conflict (provider, image) do update
      set refusal = excluded.refusal, looked_at = excluded.looked_at`.execute(db)

export const selectSizes = (db: Db, { provider, location }: OfferingPlace) =>
  sql<Sizes[number]>`
    select s.size, s.cores, round(s.memory_mb / 1024.0, 1)::float8 as "memoryGb", s.withheld is null as available,
      (select greatest(0, min(l.allowed - l.used))::int from cloud_limit l
        where l.provider = s.provider and l.location = s.location
          and (l.family = 'cores' or lower(l.family) = lower(s.family))) as "coresLeft"
    from cloud_size s where s.provider = ${provider} and s.location = ${location}
    order by s.cores, s.memory_mb, s.size`.execute(db)

/** Returns the templates that organisations can order, with the tags of their organisations. */
export const selectTemplateNeeds = (db: Db) =>
  sql<{ template: string; tags: AzureTags }>`
    select distinct a.template_id as template, o.azure_tags as tags from template_assignment a
    join organisation o on o.id = a.organisation_id where o.removed_at is null`.execute(db)
