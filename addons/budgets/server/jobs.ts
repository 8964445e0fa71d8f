import type { BudgetAlertId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Mail } from '@trainyard/platform/server/mail/mail.ts'
import { alertEmail } from './email.ts'

export const budgetAlert = job<{ readonly alert: BudgetAlertId; readonly user: UserId }>('budget.alert', EMAILS)

export function sendBudgetAlert({
  db,
  mail,
  publicUrl,
}: {
  readonly db: Db
  readonly mail: Mail
  readonly publicUrl: string
}): Run<typeof budgetAlert> {
  return async ({ alert, user }) => {
    const row = await db
      .selectFrom('budget_alert')
      .innerJoin('organisation', 'organisation.id', 'budget_alert.organisation_id')
      .innerJoin('portal_user', 'portal_user.organisation_id', 'organisation.id')
      .leftJoin('training', 'training.id', 'budget_alert.training_id')
      .leftJoin('budget', (on) =>
        on
          .onRef('budget.organisation_id', '=', 'budget_alert.organisation_id')
          .on('budget.training_id', 'is not distinct from', (eb) => eb.ref('budget_alert.training_id')),
      )
      .select([
        'budget_alert.kind',
        'budget_alert.percent',
        'budget_alert.used',
        'budget_alert.total',
        'organisation.name as organisation',
        'training.name as training',
        'portal_user.email as to',
        'budget.spending_cap',
      ])
      .where('budget_alert.id', '=', alert)
      .where('portal_user.id', '=', user)
      .executeTakeFirst()
    if (row === undefined) return
    const { spending_cap, ...details } = row
    const stopsMachines = details.kind === 'budget' && spending_cap === true
    await mail.send(
      alertEmail({ ...details, stopsMachines, key: `budget-${alert}-${user}`, link: `${publicUrl}/budgets` }),
    )
  }
}
