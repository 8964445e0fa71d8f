import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { spendingCapReasons } from '../../money/budget/spending-cap.ts'
import { usedByMachine } from '../../money/meter/used.ts'
import { progressOf } from '../operation/progress.ts'
import type { TrainingInScope } from '../training/scope.ts'
import { type MeteredMachine, SHOWN } from './view.ts'

/** Name of the learner of the machine `m`. Only accounts of its organisation count: an address can move to another. */
export const LEARNER_NAME = sql`(
  select u.name from portal_user u where u.email = m.email and u.organisation_id = m.organisation_id) as "learnerName"`

export async function machinesOf(
  db: Db,
  { id, onlyOf }: TrainingInScope,
  among: readonly MachineId[] | null = null,
): Promise<MeteredMachine[]> {
  const mine = sql`m.training_id = ${id} and (${onlyOf}::text is null or m.email = ${onlyOf})
    and (${among}::uuid[] is null or m.id = any(${among}::uuid[]))`
  const theirs = sql`select m.id from machine m where ${mine}`
  const { rows } = await sql<MeteredMachine>`
    select ${sql.join(SHOWN.map((column) => sql.ref(`m.${column}`)))}, coalesce(used.seconds, 0)::bigint as seconds,
      ${LEARNER_NAME}
    from machine m left join ${usedByMachine(theirs)} as used
      on used.machine_id = m.id
    where ${mine} order by m.number`.execute(db)
  const progress = await progressOf(db, theirs)
  const spendingCapReason = (await spendingCapReasons(db, [id])).get(id) ?? null
  return rows.map((row) => ({ ...row, spendingCapReason, progress: progress.get(row.id) ?? null }))
}
