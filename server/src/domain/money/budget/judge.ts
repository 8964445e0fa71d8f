import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { BUDGET_PERCENTS } from '@trainyard/contract/words/budget.ts'
import type { BudgetId } from '@trainyard/contract/words/ids.ts'
import { writeAudit } from '../../../core/audit.ts'
import type { Tx } from '../../../db/schema.ts'
import type { BudgetRow } from '../../../db/schema/budget.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { raiseAlerts } from './alert.ts'
import { monthOf, mostPerHour, spentByTraining, spentSince } from './spent.ts'

/** Budgets that one transaction judges at most. */
const AT_ONCE = 20
/** Seconds between two looks at a budget, at least and at most. */
const LEAST_PAUSE = 5
const MOST_PAUSE = 600

const due = sql`b.judge_at <= portal_now() and o.removed_at is null`

/** True in SQL while a budget is due to be judged. */
export const BUDGET_DUE = sql<boolean>`exists (
  select from budget b join organisation o on o.id = b.organisation_id where ${due})`

/** Judges the budgets that are due: tells people of parts that are reached, and draws the leash. Answers how many. */
export async function judgeDue(tx: Tx, jobs: Jobs): Promise<number> {
  const { rows } = await sql<BudgetRow>`
    select b.* from budget b join organisation o on o.id = b.organisation_id
    where ${due}
    order by b.judge_at limit ${AT_ONCE} for update of b skip locked`.execute(tx)
  for (const budget of rows) await judge(tx, jobs, budget)
  return rows.length
}

/** @param budget its row, locked */
export async function judge(tx: Tx, jobs: Jobs, budget: BudgetRow): Promise<void> {
  const { organisation_id: organisation, training_id: training, amount_paise: total } = budget
  const month = await monthOf(tx, organisation)
  const used =
    training === null ? await spentSince(tx, organisation, month.begins) : await spentByTraining(tx, training)
  const reached = BUDGET_PERCENTS.filter((percent) => used * 100 >= total * percent)
  const about = { organisation, training, kind: 'budget', month: training === null ? month.first : null } as const
  await raiseAlerts(tx, jobs, { ...about, used, total }, reached)

  const holds = budget.leash && used >= total
  if (holds && budget.leashed_at === null) {
    const asked = { organisation, training, spentPaise: used, amountPaise: total }
    await writeAudit(tx, { call: 'budget.leash', requestId: randomUUID(), actor: null, organisation, asked })
  }
  const next = BUDGET_PERCENTS.find((percent) => used * 100 < total * percent)
  const most = await mostPerHour(tx, { organisation, training })
  const seconds = next === undefined || most === 0 ? MOST_PAUSE : (((total * next) / 100 - used) / most) * 3600
  await writeJudged(tx, budget.id, {
    holds,
    seconds: Math.min(MOST_PAUSE, Math.max(LEAST_PAUSE, seconds)),
    // A new month is a new budget.
    before: training === null ? month.ends : null,
  })
}

async function writeJudged(
  tx: Tx,
  id: BudgetId,
  { holds, seconds, before }: { readonly holds: boolean; readonly seconds: number; readonly before: Date | null },
): Promise<void> {
  await sql`
    update budget set leashed_at = case when ${holds} then coalesce(leashed_at, portal_now()) end,
      judge_at = least(portal_now() + make_interval(secs => ${seconds}), ${before}::timestamptz)
    where id = ${id}`.execute(tx)
}

/** Has the budgets of an order's machines judged anew: more of them may run now than when it was judged last. */
export async function judgeSoon(
  tx: Tx,
  { organisation_id, training_id }: Pick<BudgetRow, 'organisation_id' | 'training_id'>,
) {
  await sql`update budget set judge_at = portal_now()
    where organisation_id = ${organisation_id} and (training_id is null or training_id = ${training_id})`.execute(tx)
}
