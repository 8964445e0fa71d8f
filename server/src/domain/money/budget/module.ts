import { answer, answerSql, on } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import {
  isStopDue,
  mayOrder,
  mayStart,
  mustStop,
  mustStopIn,
  staysOff,
  stopMachines,
} from '../../lab/machine/may-start.ts'
import { ratesChanged } from '../meter/prices.ts'
import { BUDGET_DUE, evaluateDueBudgets, scheduleEvaluations } from './evaluate.ts'
import { budgetHandlers } from './http.ts'
import { budgetAlert, sendBudgetAlert } from './jobs.ts'
import { alertQuotas } from './quotas.ts'
import {
  capOrderRefusal,
  capRefusals,
  isOverSpendingCap,
  OVER_SPENDING_CAP,
  spendingCapReasons,
} from './spending-cap.ts'
import { wasteHandlers } from '../waste/http.ts'
import { recordActivity } from '../waste/record-activity.ts'
import { sql } from 'kysely'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'budgets',
  calls: (parts) => ({ budget: budgetHandlers(parts), waste: wasteHandlers }),
  tasks: ({ db, jobQueue, metrics }) => [
    {
      name: 'check budgets',
      every: MINUTE,
      on: 'each',
      isDue: sql`${BUDGET_DUE} or ${isStopDue()}`,
      run: () =>
        db.transaction().execute(async (tx) => {
          await evaluateDueBudgets(tx, jobQueue)
          await stopMachines(tx)
        }),
    },
    {
      name: 'send quota alerts',
      every: 30,
      on: 'one',
      run: () => db.transaction().execute((tx) => alertQuotas(tx, jobQueue)),
    },
    ...(metrics
      ? [{ name: 'record machine activity', every: MINUTE, on: 'one' as const, run: () => recordActivity(db) }]
      : []),
  ],
  jobs: [runs(budgetAlert, sendBudgetAlert)],
  listens: [on(ratesChanged, scheduleEvaluations)],
  answers: [answer(mayStart, capRefusals), answer(mayOrder, capOrderRefusal), answer(staysOff, spendingCapReasons)],
  sqlAnswers: [answerSql(mustStop, () => isOverSpendingCap), answerSql(mustStopIn, () => OVER_SPENDING_CAP)],
  tables: {
    personal: {
      budget: withoutOwner('', 'set_by'),
      budget_alert: withoutOwner('kind'),
      budget_alert_seen: { owner: { user: 'user_id' }, title: 'Budget alerts seen', erase: 'delete' },
    },
  },
})
