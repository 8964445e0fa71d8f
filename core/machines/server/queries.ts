import { sql, type RawBuilder } from 'kysely'
import type { MachineId, TrainingId, OrganisationId, OrphanId } from '@trainyard/platform/contract/words/ids.ts'
import { type AnswerTo, sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow, OrphanRow } from '../tables.gen.ts'
import type { TaggedMachine } from '@trainyard/templates/server/cloud.ts'
import { machinePriceOn, quotaOf, usedByMachine } from '@trainyard/usage/server/queries.ts'
import { haveOperations } from './operation/progress.ts'
import { canStayOff } from './may-start.ts'
import { DELETE_PARTS_SECONDS } from './pace.ts'
import { type MeteredMachine, SHOWN } from './view.ts'
import { imageOf, systemOfImage } from '@trainyard/templates/server/image.ts'
import { SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import { trainingEnd } from '@trainyard/trainings/server/window.ts'
import type { lastClassEnd } from '@trainyard/users/server/invitation-state.ts'

/** SQL: true if the resource was deleted a short time ago. Lists may still contain it. */
const justDeleted = sql`o.deleted_at > portal_now() - interval '2 minutes'`

/** SQL: false for another resource with the same name, and for a resource that appeared again. */
const isSameResource = sql`o.tag is not distinct from excluded.tag
  and (o.deleted_at is null or o.deleted_at > portal_now() - interval '2 minutes')`

/** SQL: time at which the machine `m`, which is not created yet, will be ready. */
export const plannedFor = sqlHook<undefined, Date | null>('machines.plannedFor', (times) =>
  times.length === 0 ? sql`null::timestamptz` : sql`least(${sql.join(times)})`,
)

/** SQL: true if a user connected to the machine `m`. */
export const wasOpened = sqlHook<undefined, boolean>('machines.wasOpened', (conditions) =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`,
)

/** SQL: the columns of the machine `m` that screens show. */
export const shownColumns = () =>
  sql`${sql.join(SHOWN.map((column) => sql.ref(`m.${column}`)))}, ${sqlOf(systemOfImage, imageOf('m'))} as system`

/** SQL: joins the time at which the machine `m` will be ready, for a machine that is not created yet. */
export const plannedTime = () => sql`left join lateral (
  select ${sqlOf(plannedFor, undefined)} as ready_at) as planned on true`

/**
 * SQL: true if the learner can start the machine `m` now: no time is planned, the training allows it, or the learner is
 * an instructor of the training.
 */
const mayStartEarly = (learner: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  planned.ready_at is null or (select early_start from training where id = m.training_id) or exists (
    select from training_instructor i join portal_user u on u.id = i.user_id
    where i.training_id = m.training_id and u.email = ${learner}))`

/**
 * SQL: end of the last training in which an invited user has a machine or which the user leads, at most a year after
 * the invitation. If no end of a training is known, 90 days after the invitation.
 */
export const lastTrainingEnd: AnswerTo<typeof lastClassEnd> = (invitation) => {
  const createdAt = sql.ref(`${invitation}.created_at`)
  return sql`(
    select max(least(coalesce(${trainingEnd()}, ${createdAt} + interval '90 days'), ${createdAt} + interval '366 days'))
    from portal_user invited join training t on t.organisation_id = invited.organisation_id and t.removed_at is null
    where invited.id = ${sql.ref(`${invitation}.user_id`)} and invited.role = 'user' and t.id in (
      select training_id from machine where email = invited.email and terminated_at is null and desired <> 'gone'
        and withheld_at is null
      union select training_id from training_instructor where user_id = invited.id))`
}

export type LockedMachine = MachineRow & { readonly now: Date }

/**
 * SQL: the template with the values that the machine was created from. A template that has changed since then does not
 * match.
 */
const templateOf = ({ order_id, provider, place, size, image }: MachineRow) => sql`
  name = (select template_name from machine_order where id = ${order_id}) and provider = ${provider}
    and place = ${JSON.stringify(place)}::jsonb and size = ${JSON.stringify(size)}::jsonb
    and image = ${JSON.stringify(image)}::jsonb`

/**
 * SQL: name of the learner of the machine `m`. Only accounts of the machine's organisation count, because an address
 * can move to another organisation.
 */
export const LEARNER_NAME = sql`(
  select u.name from portal_user u where u.email = m.email and u.organisation_id = m.organisation_id) as "learnerName"`

export type MachineBefore = LockedMachine & {
  readonly metered: boolean
}

/**
 * Seconds before the read of a deletion in which a list can postpone this read. Less frequent lists postpone no read.
 */
const POSTPONE_SECONDS = 10

export const lockMachinesWithQuota = (tx: Tx, training: TrainingId, machine: MachineId | null) =>
  sql<{ id: MachineId; allotted_minutes: number }>`
    select id, allotted_minutes from machine
    where training_id = ${training} and (${machine}::uuid is null or id = ${machine}) and allotted_minutes is not null and terminated_at is null and desired <> 'gone'
    order by id for update`.execute(tx)

export const addAllottedMinutes = (tx: Tx, rows: readonly MachineId[], shares: readonly number[]) =>
  sql`
    update machine m set allotted_minutes = share.allotted, quota_ends_at = q.quota_ends_at, used_up_at = q.used_up_at
    from (select id, allotted_minutes + minutes as allotted from machine
        join unnest(${rows}::uuid[], ${shares}::integer[]) as share (id, minutes) using (id)) as share
      cross join lateral ${quotaOf(sql`share.id`, sql`share.allotted`)} as q
    where m.id = share.id`.execute(tx)

/** Updates the stored ends of the quotas of machines. Call it after their runs changed. */
export const updateQuotaEnds = (tx: Tx, machines: readonly MachineId[]) =>
  sql`
    update machine m set quota_ends_at = q.quota_ends_at, used_up_at = q.used_up_at
    from machine metered cross join lateral ${quotaOf(sql`metered.id`, sql`metered.allotted_minutes`)} as q
    where metered.id = any(${machines}::uuid[]) and metered.allotted_minutes is not null and m.id = metered.id
      and (m.quota_ends_at, m.used_up_at) is distinct from (q.quota_ends_at, q.used_up_at)`.execute(tx)

export const upsertOrphans = (db: Db, provider: string, orphans: readonly TaggedMachine[], began: Date) =>
  sql`
    insert into orphan as o (provider, place_group, name, tag, first_seen_at, last_seen_at)
    select ${provider}, s.place_group, s.name, s.tag, portal_now(), portal_now()
    from unnest(${groupsOf(orphans)}::text[], ${orphans.map((s) => s.name)}::text[],
      ${orphans.map((s) => s.id)}::text[]) as s (place_group, name, tag)
    where not exists (
      select from machine m where m.name = s.name and lower(m.place_group) = s.place_group
        and m.id::text = s.tag
        and (m.terminated_at is null or m.terminated_at > ${began}::timestamptz - interval '1 second'))
    on conflict (provider, place_group, name) do update set last_seen_at = excluded.last_seen_at, tag = excluded.tag,
      gone_at = case when ${justDeleted} then o.gone_at end, deleted_at = case when ${justDeleted} then o.deleted_at end,
      deletion_asked_at = case when ${isSameResource} then o.deletion_asked_at end,
      deletion_asked_by = case when ${isSameResource} then o.deletion_asked_by end`.execute(db)

export const markOrphansGone = (db: Db, provider: string, orphans: readonly TaggedMachine[]) =>
  sql`
    update orphan o set gone_at = portal_now() where gone_at is null and provider = ${provider} and not exists (
      select from unnest(${groupsOf(orphans)}::text[], ${orphans.map((s) => s.name)}::text[]) as s (place_group, name)
      where s.place_group = o.place_group and s.name = o.name)`.execute(db)

const groupsOf = (machines: readonly TaggedMachine[]) => machines.map(({ place }) => place.group.toLowerCase())

export const selectNotStartable = (tx: Tx, machines: readonly MachineId[], learner: string) =>
  sql<{ name: string }>`
    select m.name from machine m ${plannedTime()}
    where m.id = any(${machines}::uuid[]) and not ${mayStartEarly(sql`${learner}::text`)}
    order by m.number limit 1`.execute(tx)

/** Sets the current price of machines, which new usage records copy. */
export const updatePresentPrices = (tx: Tx, machines: readonly MachineId[]) =>
  sql`
    update machine set paise_per_hour = priced.price,
      order_paise_per_hour = coalesce(machine.order_paise_per_hour, machine.paise_per_hour)
    from (select m.id, ${machinePriceOn(SUPPLIER_TODAY)} as price from machine m
      where m.id = any(${machines}::uuid[]) order by m.id) as priced
    where machine.id = priced.id and machine.paise_per_hour <> priced.price`.execute(tx)

export const selectQuota = (db: Db | Tx, training: TrainingId) =>
  sql<{ total: number; seconds: number }>`
    select coalesce(sum(m.allotted_minutes), 0)::bigint as total, coalesce(sum(used.seconds), 0)::bigint as seconds
    from machine m
    left join ${usedByMachine(sql`select id from machine where training_id = ${training}`)} as used
      on used.machine_id = m.id
    where m.training_id = ${training}`.execute(db)

export const lockRows = (tx: Tx, ids: readonly MachineId[]) =>
  sql<LockedMachine>`
    select *, portal_now() as now from machine where id = any(${ids}::uuid[]) order by id for update`.execute(tx)

export const updateRows = (tx: Tx, rows: string) =>
  sql`
    update machine m set
      desired = s.desired, create_later = m.create_later and s.desired = 'stopped',
      not_before = case when s.desired = m.desired then m.not_before end,
      stop_reason = case when s.desired = m.desired then m.stop_reason end, observed = s.observed, observed_at = s.observed_at, first_seen_at = s.first_seen_at,
      public_ip = s.public_ip, restart_asked_at = s.restart_asked_at, reset_asked_at = s.reset_asked_at, ended = s.ended, command = s.command,
      command_at = s.command_at, command_accepted = s.command_accepted, attempts = s.attempts, last_error = s.last_error,
      refused = m.refused and s.last_error is not distinct from m.last_error,
      terminated_at = s.terminated_at,
      -- A recreated machine has a new host key and certificate.
      host_key = case when m.reset_asked_at is null or s.reset_asked_at is not null then m.host_key end,
      desktop_certificate =
        case when m.reset_asked_at is null or s.reset_asked_at is not null then m.desktop_certificate end,
      admin_password = case when s.terminated_at is null then m.admin_password end,
      reconcile_at = case when s.terminated_at is null then m.reconcile_at end,
      leased_until = case when s.terminated_at is null then m.leased_until end
    from jsonb_to_recordset(${rows}::jsonb) as s (
      id uuid, desired text, observed text, observed_at timestamptz, first_seen_at timestamptz, public_ip text,
      restart_asked_at timestamptz, reset_asked_at timestamptz, ended text, command text, command_at timestamptz, command_accepted boolean,
      attempts integer, last_error text, terminated_at timestamptz)
    where m.id = s.id`.execute(tx)

export const updateRefusal = (tx: Tx, nameless: string, machine: MachineRow) =>
  sql`update template set refusal = ${nameless}
    where refusal is distinct from ${nameless} and ${templateOf(machine)}`.execute(tx)

export const clearRefusalOfTemplate = (tx: Tx, machine: MachineRow) =>
  sql`update template set refusal = null where refusal is not null and ${templateOf(machine)}`.execute(tx)

export const selectMachines = (
  db: Db,
  onlyOf: string | null,
  id: TrainingId,
  machineIds: readonly MachineId[] | null,
  organisationId: OrganisationId,
) => {
  const ownCondition = sql`m.training_id = ${id} and not m.spare and (${onlyOf}::text is null or (m.email = ${onlyOf} and m.withheld_at is null))
    and (${machineIds}::uuid[] is null or m.id = any(${machineIds}::uuid[]))`
  const machineSelection = sql`select m.id from machine m where ${ownCondition}`
  return sql<MeteredMachine & { haveOperations: boolean; canStayOff: boolean }>`
    select ${shownColumns()}, coalesce(used.seconds, 0)::bigint as seconds,
      ${LEARNER_NAME}, planned.ready_at as "readyAt",
      (${onlyOf}::text is null or ${mayStartEarly(sql`${onlyOf}::text`)}) as "earlyStart",
      ${haveOperations(machineSelection)} as "haveOperations", ${canStayOff(organisationId)} as "canStayOff"
    from machine m left join ${usedByMachine(machineSelection)} as used
      on used.machine_id = m.id
    ${plannedTime()}
    where ${ownCondition} order by m.number`.execute(db)
}

export const selectMachinesToSweep = (db: Db, provider: string) =>
  sql<MachineBefore>`
    select m.*, portal_now() as now, r.id is not null as metered
    from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
    where m.terminated_at is null and m.provider = ${provider}`.execute(db)

export const postponeWaiting = (db: Db, waiting: { id: MachineId; seconds: number | null }[]) =>
  sql`
    with waiting as (
      select m.id, due.seconds from machine m
        join unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ seconds }) => seconds)}::float8[])
          as due (id, seconds) on due.id = m.id
      where m.leased_until is null and m.attempts = 0 and m.reconcile_at > portal_now()
        and m.reconcile_at < portal_now() + make_interval(secs => ${POSTPONE_SECONDS})
      order by m.id for update of m)
    update machine m set reconcile_at = portal_now() + make_interval(secs => waiting.seconds)
    from waiting where m.id = waiting.id`.execute(db)

export const selectContinuedDeletions = (tx: Tx, deleted: readonly MachineId[]) =>
  sql`
    with deleted as (
      select id from machine where id = any(${deleted}::uuid[]) and leased_until is null
        and attempts = 0 and reconcile_at > portal_now() + make_interval(secs => ${DELETE_PARTS_SECONDS})
      order by id for update)
    update machine m set reconcile_at = portal_now() from deleted where m.id = deleted.id returning m.id`.execute(tx)

export const updateDueTimes = (tx: Tx, due: { id: MachineId; seconds: number | null }[]) =>
  sql`
    update machine m set reconcile_at = portal_now() + make_interval(secs => due.seconds)
    from unnest(${due.map(({ id }) => id)}::uuid[], ${due.map(({ seconds }) => seconds)}::float8[]) as due (id, seconds)
    where m.id = due.id and m.terminated_at is null`.execute(tx)

export const selectProvidersBesides = (db: Db, providers: readonly string[]) =>
  sql<{ provider: string }>`
    select distinct provider from machine
    where terminated_at is null and observed <> 'absent' and provider <> all (${providers}::text[])
    order by provider`.execute(db)

export const selectSweepState = (db: Db) =>
  sql<{ whole: boolean; changing: boolean }>`
    select due_at <= portal_now() as whole, exists (select from machine where observed = 'changing') as changing
    from whole_sweep`.execute(db)

export const updateSweepDue = (db: Db, wholeEvery: number) =>
  sql`update whole_sweep set due_at = portal_now() + make_interval(secs => ${wholeEvery})`.execute(db)

export const delayMachines = (tx: Tx, seconds: number, machines: readonly MachineId[]) =>
  sql`
    update machine set not_before = portal_now() + make_interval(secs => ${seconds}),
      reconcile_at = portal_now() + make_interval(secs => ${seconds})
    where id = any(${machines}::uuid[])`.execute(tx)

export const delayOperations = (tx: Tx, seconds: number, machines: readonly MachineId[]) =>
  sql`
    update operation set held_until = portal_now() + make_interval(secs => ${seconds})
    where machine_id = any(${machines}::uuid[]) and kind in ('stop', 'start', 'create') and closed_at is null`.execute(
    tx,
  )

export const planAgain = (tx: Tx, started: readonly MachineId[]) =>
  sql`
    update machine set create_later = true
    where id = any(${started}::uuid[]) and observed = 'absent'`.execute(tx)

export const countMachinesByState = (db: Db) =>
  sql<{ observed: string; count: number }>`
    select observed, count(*)::int as count from machine where terminated_at is null group by observed`.execute(db)

export const updateMachineOwner = (tx: Tx, to: string, organisation: OrganisationId, from: string) =>
  sql<{ id: MachineId; name: string; training: TrainingId }>`
    update machine set email = ${to}
    where organisation_id = ${organisation} and email = ${from} and terminated_at is null
    returning id, name, training_id as training`.execute(tx)

export const insertDeletionAudit = (tx: Tx, row: OrphanId, deletionAskedBy: string | null, detail: string) =>
  sql`
    insert into audit (request_id, call, actor_email, detail)
    values (${row}, 'cost.orphanDeleted', ${deletionAskedBy},
      ${detail})`.execute(tx)

export const selectClaimant = (db: Db | Tx, { provider, place_group, name, tag }: OrphanRow) =>
  sql`
    select from machine where terminated_at is null and (id::text = lower(${tag})
      or (provider = ${provider} and name = ${name} and lower(place_group) = ${place_group}))`.execute(db)
