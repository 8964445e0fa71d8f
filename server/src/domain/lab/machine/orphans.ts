import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { TaggedMachine } from '../../../providers/cloud.ts'

/** SQL: true if the resource was deleted a short time ago. Lists may still contain it. */
const justDeleted = sql`o.deleted_at > portal_now() - interval '2 minutes'`
/** SQL: false for another resource with the same name, and for a resource that appeared again. */
const isSameResource = sql`o.tag is not distinct from excluded.tag
  and (o.deleted_at is null or o.deleted_at > portal_now() - interval '2 minutes')`

/** @param began time at which the provider's list was requested; a machine that was deleted later is no orphan */
export async function recordOrphans(db: Db, orphans: readonly TaggedMachine[], began: Date): Promise<void> {
  await sql`
    insert into orphan as o (resource_group, name, tag, first_seen_at, last_seen_at)
    select s.resource_group, s.name, s.tag, portal_now(), portal_now()
    from unnest(${orphans.map((s) => s.resourceGroup.toLowerCase())}::text[], ${orphans.map((s) => s.name)}::text[],
      ${orphans.map((s) => s.id)}::text[]) as s (resource_group, name, tag)
    where not exists (
      select from machine m where m.name = s.name and lower(m.resource_group) = s.resource_group
        and m.id::text = s.tag
        and (m.terminated_at is null or m.terminated_at > ${began}::timestamptz - interval '1 second'))
    on conflict (resource_group, name) do update set last_seen_at = excluded.last_seen_at, tag = excluded.tag,
      gone_at = case when ${justDeleted} then o.gone_at end, deleted_at = case when ${justDeleted} then o.deleted_at end,
      deletion_asked_at = case when ${isSameResource} then o.deletion_asked_at end,
      deletion_asked_by = case when ${isSameResource} then o.deletion_asked_by end`.execute(db)
  await sql`
    update orphan o set gone_at = portal_now() where gone_at is null and not exists (
      select from unnest(${orphans.map((s) => s.resourceGroup.toLowerCase())}::text[],
        ${orphans.map((s) => s.name)}::text[]) as s (resource_group, name)
      where s.resource_group = o.resource_group and s.name = o.name)`.execute(db)
}
