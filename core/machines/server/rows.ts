import { sql } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { stayOffReasons } from './may-start.ts'
import { progressOf } from './operation/progress.ts'
import type { TrainingInScope } from '@trainyard/trainings/server/scope.ts'
import { selectMachines } from './queries.ts'
import type { MeteredMachine } from './view.ts'

export async function machinesOf(
  db: Db,
  { id, organisationId, onlyOf }: TrainingInScope,
  machineIds: readonly MachineId[] | null = null,
): Promise<MeteredMachine[]> {
  const ownCondition = sql`m.training_id = ${id} and not m.spare and (${onlyOf}::text is null or (m.email = ${onlyOf} and m.withheld_at is null))
    and (${machineIds}::uuid[] is null or m.id = any(${machineIds}::uuid[]))`
  const machineSelection = sql`select m.id from machine m where ${ownCondition}`
  const { rows } = await selectMachines(db, onlyOf, id, machineIds, organisationId)
  const [first] = rows
  const progress = first?.haveOperations ? await progressOf(db, machineSelection) : null
  const spendingCapReason = first?.canStayOff ? ((await stayOffReasons(db, [id])).get(id) ?? null) : null
  return rows.map((row) => ({ ...row, spendingCapReason, progress: progress?.get(row.id) ?? null }))
}
