import { sql } from 'kysely'
import type { GuideRunId, GuideVersionId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { LEARNER_NAME } from '@trainyard/machines/server/queries.ts'

/**
 * Locks the guides of an organisation, so that an upload uses no file that is being deleted and two do not take the last
 * free space, or its proofs, so that two do not take the last free place.
 */
export const lockOf = (tx: Tx, what: 'guides' | 'guide proofs', organisation: OrganisationId) =>
  sql`select pg_advisory_xact_lock(hashtext(${what}), hashtext(${organisation}::text))`.execute(tx)

export const deleteUnusedFiles = (tx: Tx, organisation: OrganisationId) =>
  sql`
    delete from guide_file f where organisation_id = ${organisation} and not exists (
      select from guide_version_file v where v.organisation_id = f.organisation_id and v.hash = f.hash)`.execute(tx)

/** The last versions of each guide. @param each number of versions of a guide @param limit number of all versions */
export const selectLastVersions = (db: Db, organisation: OrganisationId, each: number, limit: number) =>
  sql<{ id: GuideVersionId }>`
    select id from (
      select id, row_number() over (partition by guide_id order by number desc) as place
      from guide_version where organisation_id = ${organisation}) as v
    where place <= ${each} order by place limit ${limit}`.execute(db)

/** Size of all guides of an organisation. */
export const selectSize = (db: Db, organisation: OrganisationId) =>
  sql<{ bytes: number }>`
    select (
      (select coalesce(sum(octet_length(content)), 0) from guide_file where organisation_id = ${organisation})
      + (select coalesce(sum(pg_column_size(content) + pg_column_size(texts) + pg_column_size(translations) + pg_column_size(findings)), 0)
          from guide_version where organisation_id = ${organisation})
    )::float8 as bytes`.execute(db)

/** Hash of a picture in the texts of these steps, in any language; other files of the guide are not found. */
export const selectPicture = (db: Db, version: GuideVersionId, steps: readonly string[], path: string) =>
  sql<{ hash: Buffer }>`
    select p.hash from guide_version v
    join guide_version_file p on p.version_id = v.id and p.path = ${path}
    where v.id = ${version} and exists (
      select from unnest(${steps}::text[]) as step
      cross join lateral (
        select v.texts -> step as nodes
        union all select value -> 'texts' -> step from jsonb_each(v.translations)) as shown
      where jsonb_path_exists(nodes, '$.** ? (@.tag == "image" && @.href == $path)',
        jsonb_build_object('path', ${path}::text)))`.execute(db)

/**
 * SQL: the task or question is in no hidden step, for queries with the `machine` of a run and the version `v`.
 * @param list field of a step @param id column with the task or question
 */
const isShown = (list: 'tasks' | 'questions', id: string) => sql<boolean>`not exists (
  select from training_guide_step s
    cross join jsonb_array_elements(v.content -> 'steps') as of_guide
    cross join jsonb_array_elements(of_guide -> ${sql.lit(list)}) as part
  where s.training_id = machine.training_id and s.guide_id = v.guide_id and s.hidden
    and of_guide ->> 'id' = s.step and part ->> 'id' = ${sql.ref(id)})`

/** SQL: conditions for results `t` and answers `q` that count. */
export const IS_SHOWN_TASK = isShown('tasks', 't.task')
const IS_SHOWN_QUESTION = isShown('questions', 'q.question')

/** SQL: the points of a `run` that count, for queries with its `machine` and the version `v`. */
export const EARNED = sql<number>`(
  (select coalesce(sum(t.points), 0) from task_result t where t.run_id = run.id and ${IS_SHOWN_TASK})
  + (select coalesce(sum(q.points), 0) from question_answer q where q.run_id = run.id and ${IS_SHOWN_QUESTION}))::integer`

export interface CurrentWork {
  readonly vmName: string
  readonly email: string
  readonly learnerName: string | null
  readonly versionId: GuideVersionId
  /** null: the learner has not started. */
  readonly runId: GuideRunId | null
  readonly step: string | null
  /** The later of the start of the guide and of the machine; null while the machine does not run. */
  readonly workingSince: Date | null
}

/** Live machines of a training that have a guide, each with the work of its learner. */
export const selectCurrentWork = (db: Db, training: TrainingId, limit: number) =>
  sql<CurrentWork>`
    select m.name as "vmName", m.email, ${LEARNER_NAME}, attached.version_id as "versionId", w.id as "runId", w.step,
      case when m.observed = 'running' then greatest(w.started_at, (
        select max(r.started_at) from run r where r.machine_id = m.id and r.stopped_at is null)) end as "workingSince"
    from machine m
    join lateral (
      select a.version_id from training_guide a left join template t on t.id = a.template_id
      where a.training_id = m.training_id and a.organisation_id = m.organisation_id
        and (a.template_id is null or t.name = (select o.template_name from machine_order o where o.id = m.order_id))
      order by a.template_id is null limit 1) attached on true
    left join guide_run w on w.machine_id = m.id and w.email = m.email and w.version_id = attached.version_id
      and w.reset_count = m.reset_count
    where m.training_id = ${training} and m.terminated_at is null and m.desired <> 'gone' and not m.spare
    order by m.number limit ${limit}`.execute(db)
