import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { isOverSpendingCap, requireCapToOrder, spendingCapReasons } from '../../money/budget/spending-cap.ts'
import {
  creditRefusals,
  creditStopReasons,
  isStoppedByCredit,
  requireCreditToOrder,
  requireCreditToStart,
  STOPPED_BY_CREDIT,
} from '../../money/credit/refusals.ts'
import { setDesiredMachines } from './desired-state.ts'

/** Organisations for which `stayOffReasons` can return a reason. */
const STOPPED_BY_BILLING = sql`(select organisation_id from budget where cap_reached_at is not null
    union all ${STOPPED_BY_CREDIT})`

/**
 * SQL: false if no billing reason applies to a machine of the organisation. This saves the queries of
 * `stayOffReasons`.
 */
export const canBeStoppedByBilling = (organisation: OrganisationId): RawBuilder<boolean> =>
  sql<boolean>`${organisation} in ${STOPPED_BY_BILLING}`

const isStoppedByBilling = sql`organisation_id in ${STOPPED_BY_BILLING} and desired = 'running' and terminated_at is null
  and (${isOverSpendingCap} or ${isStoppedByCredit})`

export const BILLING_STOP_DUE = sql<boolean>`exists (select from machine where ${isStoppedByBilling})`

/**
 * Stops the machines that must stay off because of a spending cap, used up prepaid credit or an overdue invoice.
 * Returns the number of stopped machines.
 */
export async function stopForBilling(tx: Tx): Promise<number> {
  const stopped = await setDesiredMachines(tx, {
    rows: sql`select machine.id, machine.last_error from machine where ${isStoppedByBilling} order by machine.id for update skip locked`,
    desired: 'stopped',
    set: sql`restart_asked_at = null`,
  })
  return stopped.length
}

/** Returns why machines of trainings must stay off: a spending cap, used up prepaid credit, or an overdue invoice. */
export async function stayOffReasons(db: Db, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  return new Map([...(await creditStopReasons(db, trainings)), ...(await spendingCapReasons(db, trainings))])
}

/** Returns why machines of trainings must not start, in the short form that a schedule's outcome shows. */
export async function startRefusals(tx: Tx, trainings: readonly TrainingId[]): Promise<Map<TrainingId, string>> {
  const refusals = new Map([...(await creditRefusals(tx, trainings))].map(([id, { brief }]) => [id, brief]))
  for (const id of (await spendingCapReasons(tx, trainings)).keys()) refusals.set(id, 'the budget is used up')
  return refusals
}

/** @throws Problem conflict if a spending cap or the credit terms require machines of a training to stay off */
export async function requireMayStart(
  tx: Tx,
  actor: Pick<Actor, 'role'>,
  trainings: readonly TrainingId[],
): Promise<void> {
  const [sentence] = (await spendingCapReasons(tx, trainings)).values()
  if (sentence !== undefined) throw conflict(sentence)
  await requireCreditToStart(tx, actor, trainings)
}

/** @throws Problem conflict if the organisation's own spending cap or its credit terms do not allow orders */
export async function requireMayOrder(tx: Tx, actor: Pick<Actor, 'role'>, organisation: OrganisationId): Promise<void> {
  await requireCapToOrder(tx, organisation)
  await requireCreditToOrder(tx, actor, organisation)
}
