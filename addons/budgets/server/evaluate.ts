import type { budgetEvents } from '../contract/budget-event.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { BUDGET_PERCENTS } from '../contract/budget-words.ts'
import type { BudgetId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { BudgetRow } from '../tables.gen.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { raiseAlerts } from './alert.ts'
import { budgetName } from './budget-name.ts'
import { lockDueBudgets, updateEvaluation, makeBudgetsDue, isDue } from './queries.ts'
import { monthOf, maxCostPerHour, spentNow } from './spent.ts'
import { emit, type RowOf } from '@trainyard/platform/server/core/events.ts'
import type { ratesChanged } from '@trainyard/usage/server/prices.ts'
import { noticed, publish } from '@trainyard/users/server/notices.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

/** Seconds between two evaluations of a budget. */
const MIN_INTERVAL = 5
const MAX_INTERVAL = 600

export const BUDGET_DUE = sql<boolean>`exists (
  select from budget b join organisation o on o.id = b.organisation_id where ${isDue})`

export async function evaluateDueBudgets(tx: Tx, jobs: JobQueue): Promise<number> {
  const { rows } = await lockDueBudgets(tx)
  for (const budget of rows) await evaluateBudget(tx, jobs, budget)
  return rows.length
}

export async function evaluateBudget(tx: Tx, jobs: JobQueue, budget: BudgetRow): Promise<void> {
  const { organisation_id: organisation, training_id: training, amount_paise: total } = budget
  const month = await monthOf(tx, organisation)
  const used = await spentNow(tx, { organisation, training })
  const reached = BUDGET_PERCENTS.filter((percent) => used * 100 >= total * percent)
  const about = { organisation, training, kind: 'budget', month: training === null ? month.first : null } as const
  await raiseAlerts(tx, jobs, { ...about, used, total }, reached)

  const isCapped = budget.spending_cap && used >= total
  if (isCapped && budget.cap_reached_at === null) {
    const asked = { organisation, training, spentPaise: used, amountPaise: total }
    await writeAudit(tx, {
      call: 'budget.spendingCap',
      requestId: randomUUID(),
      actor: null,
      organisation,
      request: asked,
    })
  }
  const next = BUDGET_PERCENTS.find((percent) => used * 100 < total * percent)
  const most = await maxCostPerHour(tx, { organisation, training })
  const seconds = next === undefined || most === 0 ? MAX_INTERVAL : (((total * next) / 100 - used) / most) * 3600
  await recordEvaluation(tx, budget.id, {
    isCapped,
    seconds: Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, seconds)),
    // An organisation's budget starts again each month.
    before: training === null ? month.ends : null,
  })
  if (isCapped !== (budget.cap_reached_at !== null)) await allMachinesChanged(tx, organisation, training)
}

/** Stores an evaluation, and publishes that the spending cap was reached. */
export async function recordEvaluation(
  tx: Tx,
  id: BudgetId,
  { isCapped, seconds, before }: { readonly isCapped: boolean; readonly seconds: number; readonly before: Date | null },
): Promise<void> {
  const { rows } = await updateEvaluation(tx, isCapped, seconds, before, id)
  for (const { organisation, training, amount, reached } of rows) {
    if (!reached) continue
    const resource = `budget:${training ?? organisation}`
    const data = { budgetPaise: amount }
    await publish<typeof budgetEvents>(tx, [{ organisation, type: 'budget.cap_reached', resource, training, data }])
    const text = `The budget of ${await budgetName(tx, training)} is used up. Its machines are being stopped.`
    const notice = { audience: 'admins', organisation, training, about: null } as const
    await emit(tx, noticed, [{ ...notice, kind: 'budget.cap_reached', text, link: '/budgets' }])
  }
}

/** Schedules evaluations, because the maximum spending rate of trainings has changed. */
export async function scheduleEvaluations(tx: Tx, changed: readonly RowOf<typeof ratesChanged>[]): Promise<void> {
  for (const { organisation, training } of changed) await makeBudgetsDue(tx, organisation, training)
}
