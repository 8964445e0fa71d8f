import { type RawBuilder, sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { canBeStoppedByBilling, stayOffReasons } from './billing-rules.ts'
import { usedByMachine } from '../../money/meter/used.ts'
import { haveOperations, progressOf } from '../operation/progress.ts'
import type { TrainingInScope } from '../training/scope.ts'
import { type MeteredMachine, SHOWN } from './view.ts'

/**
 * SQL: name of the learner of the machine `m`. Only accounts of the machine's organisation count, because an address
 * can move to another organisation.
 */
export const LEARNER_NAME = sql`(
  select u.name from portal_user u where u.email = m.email and u.organisation_id = m.organisation_id) as "learnerName"`

/** SQL: joins the time at which the machine `m` will be ready, for a machine that is not created yet. */
export const PLANNED_TIME = sql`left join lateral (
  select min(r.ready_at) as ready_at from ready_by r
  where m.create_later and r.training_id = m.training_id and r.removed_at is null and r.started_at is null
    and not r.missed and (r.order_id is null or r.order_id = m.order_id)) as planned on true`

/**
 * SQL: true if the learner can start the machine `m` now: no time is planned, the training allows it, or the learner is
 * an instructor of the training.
 */
export const mayStartEarly = (learner: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  planned.ready_at is null or (select early_start from training where id = m.training_id) or exists (
    select from training_instructor i join portal_user u on u.id = i.user_id
    where i.training_id = m.training_id and u.email = ${learner}))`

export async function machinesOf(
  db: Db,
  { id, organisationId, onlyOf }: TrainingInScope,
  machineIds: readonly MachineId[] | null = null,
): Promise<MeteredMachine[]> {
  const ownCondition = sql`m.training_id = ${id} and (${onlyOf}::text is null or (m.email = ${onlyOf} and m.withheld_at is null))
    and (${machineIds}::uuid[] is null or m.id = any(${machineIds}::uuid[]))`
  const machineSelection = sql`select m.id from machine m where ${ownCondition}`
  const { rows } = await sql<MeteredMachine & { haveOperations: boolean; canStayOff: boolean }>`
    select ${sql.join(SHOWN.map((column) => sql.ref(`m.${column}`)))}, coalesce(used.seconds, 0)::bigint as seconds,
      ${LEARNER_NAME}, planned.ready_at as "readyAt",
      (${onlyOf}::text is null or ${mayStartEarly(sql`${onlyOf}::text`)}) as "earlyStart",
      ${haveOperations(machineSelection)} as "haveOperations", ${canBeStoppedByBilling(organisationId)} as "canStayOff"
    from machine m left join ${usedByMachine(machineSelection)} as used
      on used.machine_id = m.id
    ${PLANNED_TIME}
    where ${ownCondition} order by m.number`.execute(db)
  const [first] = rows
  const progress = first?.haveOperations ? await progressOf(db, machineSelection) : null
  const spendingCapReason = first?.canStayOff ? ((await stayOffReasons(db, [id])).get(id) ?? null) : null
  return rows.map((row) => ({ ...row, spendingCapReason, progress: progress?.get(row.id) ?? null }))
}
