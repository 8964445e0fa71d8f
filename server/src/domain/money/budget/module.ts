import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { BILLING_STOP_DUE, stopForBilling } from '../../lab/machine/billing-rules.ts'
import { BUDGET_DUE, evaluateDueBudgets } from './evaluate.ts'
import { budgetHandlers } from './http.ts'
import { budgetAlert, sendBudgetAlert } from './jobs.ts'
import { alertQuotas } from './quotas.ts'
import { PREPAID_DUE, evaluateDuePrepaidAccounts } from '../credit/evaluate.ts'
import { wasteHandlers } from '../waste/http.ts'
import { sql } from 'kysely'
import { MINUTE } from '../../../reconcile/task.ts'

export default serverModule({
  name: 'budgets',
  calls: (parts) => ({ budget: budgetHandlers(parts), waste: wasteHandlers }),
  tasks: ({ db, jobQueue }) => [
    {
      name: 'check budgets',
      every: MINUTE,
      on: 'each',
      isDue: sql`${BUDGET_DUE} or ${PREPAID_DUE} or ${BILLING_STOP_DUE}`,
      run: () =>
        db.transaction().execute(async (tx) => {
          await evaluateDueBudgets(tx, jobQueue)
          await evaluateDuePrepaidAccounts(tx, jobQueue)
          await stopForBilling(tx)
        }),
    },
    {
      name: 'send quota alerts',
      every: 30,
      on: 'one',
      run: () => db.transaction().execute((tx) => alertQuotas(tx, jobQueue)),
    },
  ],
  jobs: [runs(budgetAlert, sendBudgetAlert)],
  tables: {
    personal: {
      budget: withoutOwner('', 'set_by'),
      budget_alert: withoutOwner('kind'),
      budget_alert_seen: { owner: { user: 'user_id' }, title: 'Budget alerts seen', erase: 'delete' },
    },
  },
})
