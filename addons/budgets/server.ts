import { budgetEvents } from './contract/budget-event.ts'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { mayOrder, mayStart, mustStop, mustStopIn, staysOff } from '@trainyard/machines/server/may-start.ts'
import { budgetOf } from '@trainyard/usage/server/outlook.ts'
import { ratesChanged } from '@trainyard/usage/server/prices.ts'
import { BUDGET_DUE, evaluateDueBudgets, scheduleEvaluations } from './server/evaluate.ts'
import { budgetHandlers } from './server/http.ts'
import { budgetOfTraining } from './server/list.ts'
import { budgetAlert, sendBudgetAlert } from './server/jobs.ts'
import { alertQuotas } from './server/quotas.ts'
import {
  capOrderRefusal,
  capRefusals,
  isOverSpendingCap,
  OVER_SPENDING_CAP,
  spendingCapReasons,
} from './server/spending-cap.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'budgets',
  calls: (parts) => ({ budget: budgetHandlers(parts) }),
  tasks: ({ db, jobQueue }) => [
    {
      name: 'check budgets',
      every: MINUTE,
      on: 'each',
      isDue: BUDGET_DUE,
      run: () => db.transaction().execute(async (tx) => void (await evaluateDueBudgets(tx, jobQueue))),
    },
    {
      name: 'send quota alerts',
      every: 30,
      on: 'one',
      run: () => db.transaction().execute((tx) => alertQuotas(tx, jobQueue)),
    },
  ],
  jobs: [runs(budgetAlert, sendBudgetAlert)],
  publishes: budgetEvents,
  listens: [on(ratesChanged, scheduleEvaluations)],
  answers: [
    answer(budgetOf, budgetOfTraining),
    answer(mayStart, capRefusals),
    answer(mayOrder, capOrderRefusal),
    answer(staysOff, spendingCapReasons),
  ],
  sqlAnswers: [answerSql(mustStop, () => isOverSpendingCap), answerSql(mustStopIn, () => OVER_SPENDING_CAP)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      budget: withoutOwner('', 'set_by'),
      budget_alert: withoutOwner('kind'),
      budget_alert_seen: { owner: { user: 'user_id' }, title: 'Budget alerts seen', erase: 'delete' },
    },
  },
})
