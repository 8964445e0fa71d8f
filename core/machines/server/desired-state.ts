import { type RawBuilder, sql } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Desired } from '../contract/machine-words.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { changeGeneration } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { replaceOperations } from './operation/open.ts'

interface MachineChange {
  /**
   * A query returns `id`, `last_error` and columns that `set` and `stopReason` read as `changed.*`, and must lock its
   * rows in the order of IDs.
   */
  readonly rows: readonly MachineId[] | RawBuilder<unknown>
  /** undefined: the desired state stays. */
  readonly desired?: Desired
  /** Reason why the machine is stopped; null if a user stopped it. */
  readonly stopReason?: RawBuilder<unknown> | undefined
  readonly set?: RawBuilder<unknown>
  readonly where?: RawBuilder<unknown>
}

/**
 * Changes what machines should be, and opens the operations that lead to it. No other code writes `desired`, except that
 * an observation can adopt the provider's state. Returns the changed machines.
 */
export async function setDesiredMachines(
  tx: Tx,
  { rows, desired, stopReason, set, where }: MachineChange,
): Promise<MachineId[]> {
  const changed = await changeGeneration<{ id: MachineId; last_error: string | null }>(
    tx,
    'machine',
    {
      rows,
      set: sql.join([
        sql`refused = false`,
        ...(desired === undefined ? [] : [assignDesired(desired, stopReason)]),
        ...(set === undefined ? [] : [set]),
      ]),
      ...(where !== undefined && { where }),
    },
    sql`, changed.last_error`,
  )
  await replaceOperations(tx, changed)
  const ids = changed.map(({ id }) => id)
  await machinesChanged(tx, ids)
  return ids
}

/** SQL: a planned creation, a hold and a reason belong to the former desired state. */
const assignDesired = (desired: Desired, stopReason = sql`null`): RawBuilder<unknown> => sql`
  desired = ${desired}, not_before = null, create_later = t.create_later and ${desired} = 'stopped',
  stop_reason = case when t.desired = ${desired} then t.stop_reason else ${stopReason} end`
