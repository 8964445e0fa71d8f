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
import { nextSession } from '@trainyard/trainings/server/window.ts'
import { billByMachineBefore } from '@trainyard/usage/server/used.ts'
import { PROOF_MINUTES_MAX } from '../../contract/proof-words.ts'

/** Keeps two proofs of an organisation from taking the last free place at the same time. */
export const lockProofsOf = (tx: Tx, organisation: OrganisationId) =>
  sql`select pg_advisory_xact_lock(hashtext('guide proofs'), hashtext(${organisation}::text))`.execute(tx)

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

/** Templates on which an organisation can prove guides, with the price of a machine. */
export const selectTemplates = (db: Db, organisation: OrganisationId) => {
  const price = sqlOf(priceAt, {
    organisation: sql`a.organisation_id`,
    template: sql`t.name`,
    size: sql`t.size_name`,
    licence: sql`t.licence`,
    day: SUPPLIER_TODAY,
  })
  return sql<{ templateName: string; paisePerHour: Paise }>`
    select t.name as "templateName", coalesce(${price}, t.rate_paise) as "paisePerHour"
    from template_assignment a join template t on t.id = a.template_id
    where a.organisation_id = ${organisation} and t.os = 'Linux' order by t.name`.execute(db)
}

/** Days before a class from which its guides are proven every night. */
const DAYS_BEFORE_CLASS = 14

/**
 * Versions to be proven tonight, with the template: guides of trainings with a class soon. For a guide of all templates
 * these are the templates of the training's machines, also of planned ones.
 */
export const selectProofsDue = (db: Db) =>
  sql<{ version: GuideVersionId; template: string }>`
    select distinct a.version_id as version, t.name as template
    from training_guide a
      join training on training.id = a.training_id and training.removed_at is null
      join organisation on organisation.id = a.organisation_id and organisation.removed_at is null
      join template t on t.os = 'Linux' and (t.id = a.template_id or a.template_id is null
        and t.name in (
          select o.template_name from machine m join machine_order o on o.id = m.order_id
          where m.training_id = a.training_id and m.terminated_at is null and m.desired <> 'gone')
        and not exists (
          select from training_guide own where own.training_id = a.training_id and own.template_id = t.id))
      join template_assignment assigned on assigned.template_id = t.id
        and assigned.organisation_id = a.organisation_id
    where extract(hour from portal_now() at time zone organisation.time_zone) between 1 and 4
      and ${sqlOf(nextSession, sql<TrainingId>`a.training_id`)}
        < portal_now() + make_interval(days => ${DAYS_BEFORE_CLASS})
      and not exists (
        select from proof p where p.version_id = a.version_id and p.template_id = t.id
          and (p.state = 'running' or p.created_at > portal_now() - interval '20 hours'
            and p.template_revision = t.revision and p.image = t.image))`.execute(db)
