import { sql } from 'kysely'
import type { Tx } from '../../../db/schema.ts'
import { setDesiredState } from '../../../reconcile/desired-state.ts'
import { isOverSpendingCap } from '../../money/budget/spending-cap.ts'
import { isKeptOff, KEEPS_OFF } from '../../money/credit/refusals.ts'

const overSpendingCap = sql`organisation_id in (select organisation_id from budget where cap_reached_at is not null
    union all ${KEEPS_OFF}) and desired = 'running' and terminated_at is null and (${isOverSpendingCap} or ${isKeptOff})`

export const OVER_SPENDING_CAP = sql<boolean>`exists (select from machine where ${overSpendingCap})`

/** Stops the machines that a spending cap, used up prepaid credit or an overdue invoice keeps off. */
export async function stopOverSpendingCap(tx: Tx): Promise<number> {
  const stopped = await setDesiredState(tx, 'machine', {
    rows: sql`select machine.id from machine where ${overSpendingCap} order by machine.id for update skip locked`,
    set: sql`desired = 'stopped', restart_asked_at = null`,
  })
  return stopped.length
}
