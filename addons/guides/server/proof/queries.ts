import { sql } from 'kysely'
import type {
  GuideVersionId,
  MachineId,
  OrganisationId,
  ProofId,
  TrainingId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { priceAt, SUPPLIER_TODAY } from '@trainyard/templates/server/price-at.ts'
import { nextReady } from '@trainyard/schedules/server/queries.ts'
import { nextSession } from '@trainyard/trainings/server/window.ts'
import { billByMachineBefore } from '@trainyard/usage/server/used.ts'
import { PROOF_MINUTES_MAX } from '../../contract/proof-words.ts'
import type { ProofRow } from '../../tables.gen.ts'

/** Returns the bill of a deleted machine. */
export const selectCost = (tx: Tx, machine: MachineId, now: Date) =>
  sql<{ paise: number }>`
    select coalesce(sum(amount), 0)::bigint as paise
    from ${billByMachineBefore(sql`select ${machine}::uuid`, now)} as bill`.execute(tx)

/** Returns the seconds until the time limit of a proof. */
export const selectSecondsLeft = (db: Db, proof: ProofId) =>
  sql<{ seconds: number }>`
    select extract(epoch from started_at + make_interval(mins => ${PROOF_MINUTES_MAX}) - portal_now())::float8 as seconds
    from proof where id = ${proof}`.execute(db)

/** Files that differ between two versions, the first of each pair. */
export const selectChangedFiles = (
  db: Db,
  from: readonly GuideVersionId[],
  to: readonly GuideVersionId[],
  limit: number,
) =>
  sql<{ from: GuideVersionId; to: GuideVersionId; files: string[] }>`
    select pair.a as "from", pair.b as "to", array(
      select path from (select path, hash from guide_version_file where version_id = pair.a) as x
        full join (select path, hash from guide_version_file where version_id = pair.b) as y using (path)
      where x.hash is distinct from y.hash order by path limit ${limit}) as files
    from (select distinct a, b from unnest(${from}::uuid[], ${to}::uuid[]) as each (a, b)) as pair`.execute(db)

/** Packages that another proof found in another version, the first of each pair. */
export const selectChangedPackages = (db: Db, from: readonly ProofId[], to: readonly ProofId[], limit: number) =>
  sql<{ to: ProofId; packages: string[] }>`
    select b.id as "to", array(
      select concat_ws(' ', name, concat_ws(' → ', old.version, coalesce(new.version, 'removed')))
      from jsonb_each_text(a.packages) as old (name, version)
        full join jsonb_each_text(b.packages) as new (name, version) using (name)
      where old.version is distinct from new.version order by name limit ${limit}) as packages
    from unnest(${from}::uuid[], ${to}::uuid[]) as pair (a, b)
      join proof a on a.id = pair.a and a.packages is not null
      join proof b on b.id = pair.b and b.packages is not null`.execute(db)

/**
 * SQL: the templates `t` on which guides `a` of trainings are used. For a guide of all templates these are the templates
 * of the training's machines, also of planned ones.
 */
const USED_ON = sql`
  training_guide a
    join template t on t.os = 'Linux' and (t.id = a.template_id or a.template_id is null
      and t.name in (
        select o.template_name from machine m join machine_order o on o.id = m.order_id
        where m.training_id = a.training_id and m.terminated_at is null and m.desired <> 'gone')
      and not exists (
        select from training_guide own where own.training_id = a.training_id and own.template_id = t.id))
    join template_assignment assigned on assigned.template_id = t.id and assigned.organisation_id = a.organisation_id`

/** Templates on which an organisation can prove a guide, with the price of a machine; those of its trainings first. */
export const selectTemplates = (db: Db, organisation: OrganisationId, guide: string) => {
  const price = sqlOf(priceAt, {
    organisation: sql`mine.organisation_id`,
    template: sql`own.name`,
    size: sql`own.size_name`,
    licence: sql`own.licence`,
    day: SUPPLIER_TODAY,
  })
  return sql<{ templateName: string; paisePerHour: Paise }>`
    select own.name as "templateName", coalesce(${price}, own.rate_paise) as "paisePerHour"
    from template_assignment mine join template own on own.id = mine.template_id
    where mine.organisation_id = ${organisation} and own.os = 'Linux'
    order by exists (
      select from ${USED_ON} join guide_version v on v.id = a.version_id
      where a.organisation_id = mine.organisation_id and v.guide_id = ${guide}::uuid and t.id = own.id) desc,
      own.name`.execute(db)
}

/** Days before a class from which its guides are proven. */
const DAYS_BEFORE_CLASS = 14

/**
 * Versions to be proven now, with the template, for trainings with a class soon: at night; on a template or an image that
 * is new since the last proof; and before machines must be ready, by twice the usual duration and 30 minutes.
 */
export const selectProofsDue = (db: Db) =>
  sql<{ version: GuideVersionId; template: string }>`
    select distinct a.version_id as version, t.name as template
    from ${USED_ON}
      join training on training.id = a.training_id and training.removed_at is null
      join organisation on organisation.id = a.organisation_id and organisation.removed_at is null
      cross join lateral (select ${sqlOf(nextReady, sql<TrainingId>`a.training_id`)} as at) as ready
      cross join lateral (
        select least(${sqlOf(nextSession, sql<TrainingId>`a.training_id`)}, ready.at) as at) as class
      cross join lateral (
        select coalesce(bool_or(p.state = 'running'), false) as runs, count(*) > 0 as exists,
          max(p.created_at) filter (where p.template_revision = t.revision and p.image = t.image) as last,
          coalesce(avg(p.ended_at - p.started_at), interval '10 minutes') as usual
        from proof p where p.version_id = a.version_id and p.template_id = t.id) as proofs
    where class.at < portal_now() + make_interval(days => ${DAYS_BEFORE_CLASS}) and not proofs.runs
      and (proofs.exists and proofs.last is null
        or extract(hour from portal_now() at time zone organisation.time_zone) between 1 and 4
          and coalesce(proofs.last < portal_now() - interval '20 hours', true)
        or ready.at < portal_now() + 2 * proofs.usual + interval '30 minutes'
          and coalesce(proofs.last < ready.at - interval '3 hours', true))`.execute(db)

export interface UsedVersion {
  readonly guide: string
  readonly number: number
  readonly title: string
  readonly templateName: string
  readonly state: ProofRow['state'] | null
  readonly at: Date | null
  readonly isStale: boolean | null
  readonly faults: number
}

/** The guides of a training, on each template that it uses, with the running proof or the last result. */
export const selectUsedVersions = (db: Db, training: TrainingId, limit: number) =>
  sql<UsedVersion>`
    select g.slug as guide, v.number, v.title, t.name as "templateName", last.state, last.at, last."isStale",
      coalesce(last.faults, 0) as faults
    from ${USED_ON}
      join guide_version v on v.id = a.version_id
      join guide g on g.id = v.guide_id
      left join lateral (
        select p.state, coalesce(p.ended_at, p.created_at) as at,
          (p.template_revision <> t.revision or p.image <> t.image) as "isStale",
          (select count(*)::integer from proof_fault f where f.proof_id = p.id) as faults
        from proof p where p.version_id = a.version_id and p.template_id = t.id
        order by p.state = 'running' desc, p.state = 'not run', p.created_at desc limit 1) as last on true
    where a.training_id = ${training} order by v.title, t.name limit ${limit}`.execute(db)
