import { sql } from 'kysely'
import type {
  TrainingId,
  OrganisationId,
  OrderId,
  MachineId,
  RegistrationLinkId,
  LabImportId,
} from '@trainyard/platform/contract/words/ids.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { ownedDomains } from '@trainyard/users/server/sign-in-ways.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { wasOpened } from '@trainyard/machines/server/queries.ts'
import type { WeeklyRun } from '@trainyard/class-sessions/server/weekly/runs.ts'
import { quotaOf } from '@trainyard/usage/server/queries.ts'
import type { SourceLab } from './source.ts'

export const insertSchedules = (
  tx: Tx,
  input: {
    readonly training: TrainingId
    readonly organisation: OrganisationId
    readonly action: string
    readonly time: string
    readonly timeZone: string
    readonly email: string
    readonly recurrence: string | null
    readonly runs: readonly WeeklyRun[]
  },
) =>
  sql<{ id: string }>`
    insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by, recurrence_id)
    select ${input.training}, ${input.organisation}, ${input.action}, run.date, ${input.time}::time, ${input.timeZone}, run.at,
      ${input.email}, ${input.recurrence}::uuid
    from unnest(${input.runs.map(({ date }) => date)}::date[], ${input.runs.map(({ at }) => at)}::timestamptz[]) as run (date, at)
    on conflict (training_id, fires_at, action) where removed_at is null do nothing
    returning id`.execute(tx)

export const removeRecurrences = (tx: Tx, weekly: readonly string[]) =>
  sql`
    update recurrence set removed_at = portal_now() where id = any(${weekly}::uuid[]) and removed_at is null`.execute(
    tx,
  )

export const removeSchedules = (tx: Tx, weekly: readonly string[], single: readonly string[]) =>
  sql`
    update schedule set removed_at = portal_now()
    where (recurrence_id = any(${weekly}::uuid[]) or id = any(${single}::uuid[]))
      and completed_at is null and removed_at is null`.execute(tx)

export const updateAllottedMinutes = (
  tx: Tx,
  emails: readonly string[],
  minutes: readonly (number | null)[],
  order: OrderId | null,
) =>
  sql<{ id: MachineId }>`
    update machine set allotted_minutes = l.minutes, quota_ends_at = l.quota_ends_at, used_up_at = l.used_up_at
    from (select m.id, given.minutes, q.quota_ends_at, q.used_up_at
      from unnest(${emails}::text[], ${minutes}::integer[]) as given (email, minutes)
        join machine m on m.order_id = ${order} and m.email = given.email
        cross join lateral ${quotaOf(sql`m.id`, sql`given.minutes`)} as q) as l
    where machine.id = l.id returning machine.id`.execute(tx)

export const selectEmailsOfOtherRoles = (tx: Tx, emails: readonly string[]) =>
  sql<{ email: string }>`
    select email from portal_user where email = any(${emails}::text[]) and role <> 'user'`.execute(tx)

export const selectEmailsWithMachine = (tx: Tx, training: string) =>
  sql<{ email: string }>`
    select email from machine where training_id = ${training} and terminated_at is null and desired <> 'gone'`.execute(
    tx,
  )

export const removeReadyBy = (tx: Tx, order: OrderId) =>
  sql`
    update ready_by set removed_at = portal_now()
    where order_id = ${order} and started_at is null and removed_at is null`.execute(tx)

export const selectMachinesOfOrder = (tx: Tx, order: OrderId) =>
  sql<{ id: MachineId; name: string; email: string; used: boolean }>`
    select m.id, m.name, m.email, exists (select from run r where r.machine_id = m.id)
      or ${sqlOf(wasOpened, undefined)} as used
    from machine m where m.order_id = ${order} and m.terminated_at is null and m.desired <> 'gone'`.execute(tx)

export const selectAnyMachine = (tx: Tx, training: TrainingId) =>
  sql`
    select from machine where training_id = ${training} and terminated_at is null and desired <> 'gone' limit 1`.execute(
    tx,
  )

export const restoreIdleStop = (
  tx: Tx,
  idleBefore: number | null,
  training: TrainingId,
  idleStopMinutes: number | null,
) =>
  sql`
    update training set idle_stop_minutes = ${idleBefore}
    where id = ${training} and idle_stop_minutes is not distinct from ${idleStopMinutes}`.execute(tx)

export const deleteUnusedLink = (tx: Tx, id: RegistrationLinkId) =>
  sql`
    delete from registration_link where id = ${id} and not exists (select from registration where link_id = ${id})
    returning id`.execute(tx)

export const revokeLink = (tx: Tx, email: string, id: RegistrationLinkId) =>
  sql`
    update registration_link set revoked_at = portal_now(), revoked_by = ${email}
    where id = ${id} and revoked_at is null`.execute(tx)

export const deleteUnusedAccounts = (tx: Tx, emails: readonly string[], organisation: OrganisationId, since: Date) =>
  sql`
    delete from portal_user u where u.email = any(${emails}::text[]) and u.role = 'user'
      and u.organisation_id = ${organisation}
      and u.created_at >= ${since} and u.signed_in_at is null and u.password_hash is null
      and not exists (select from training_instructor i where i.user_id = u.id)
      and not exists (select from machine m where m.email = u.email and m.terminated_at is null and m.desired <> 'gone')`.execute(
    tx,
  )

export const countImports = (tx: Tx, organisation: OrganisationId) =>
  sql<{ count: number }>`
    select count(*)::int as count from lab_import where organisation_id = ${organisation} and removed_at is null`.execute(
    tx,
  )

export const selectTrainingNamed = (tx: Tx, organisation: OrganisationId, name: string) =>
  sql`
    select from training where organisation_id = ${organisation} and removed_at is null
      and comparison_key(name) = comparison_key(${name})`.execute(tx)

export const insertLabsOfFiles = (tx: Tx, id: LabImportId, organisation: OrganisationId, labs: readonly SourceLab[]) =>
  sql`
    insert into imported_lab (import_id, organisation_id, resource_key, source, listed_in, read_in)
    select ${id}, ${organisation}, lab.key, lab.source::jsonb, 1, 1
    from unnest(${labs.map(({ key }) => key)}::text[],
      ${labs.map((lab) => JSON.stringify({ files: lab }))}::text[]) as lab (key, source)
    order by lab.key
    on conflict (organisation_id, resource_key) do update
    set import_id = excluded.import_id, listed_in = 1, read_in = 1,
      source = case when imported_lab.moved_at is null then excluded.source else imported_lab.source end`.execute(tx)

export const selectEditedSchedules = (db: Db | Tx, organisation: OrganisationId) =>
  sql<{ id: string }>`
    select id from recurrence where organisation_id = ${organisation} and removed_at is not null
    union all
    select id from schedule where organisation_id = ${organisation} and removed_at is not null and completed_at is null`.execute(
    db,
  )

export const selectForeignEmails = (db: Db | Tx, emails: readonly string[], organisation: OrganisationId) =>
  sql<{ email: string }>`
    select e.email from unnest(${emails}::text[]) as e (email)
    where exists (select from portal_user u where u.email = e.email and u.organisation_id is distinct from ${organisation})
      or exists (select from (${sqlOf(ownedDomains, null)}) d where d.domain = split_part(e.email, '@', 2)
        and d.organisation_id <> ${organisation})`.execute(db)

export const insertListedLabs = (
  tx: Tx,
  input: {
    readonly row: LabImportId
    readonly organisation: OrganisationId
    readonly reading: number
    readonly keys: readonly string[]
    readonly sources: readonly string[]
  },
) =>
  sql`
    insert into imported_lab (import_id, organisation_id, resource_key, source, listed_in)
    select ${input.row}, ${input.organisation}, lab.key, lab.source::jsonb, ${input.reading}
    from unnest(${input.keys}::text[],
      ${input.sources}::text[]) as lab (key, source)
    order by lab.key
    on conflict (organisation_id, resource_key) do update
    set listed_in = excluded.listed_in, read_in = case when imported_lab.import_id = excluded.import_id then imported_lab.read_in end,
      import_id = excluded.import_id,
      source = case when imported_lab.moved_at is null
        then jsonb_set(imported_lab.source, '{azure,lab}', excluded.source #> '{azure,lab}') else imported_lab.source end`.execute(
    tx,
  )
