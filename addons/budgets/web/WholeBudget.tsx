import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { type Budgets, type OrganisationQuery, usedOf } from './budget.ts'
import styles from './Budgets.module.css'
import { ForecastOf } from './ForecastOf.tsx'
import { RemoveBudget } from './RemoveBudget.tsx'

const BudgetDialog = lazy(() => import('./BudgetDialog.tsx'))

export function WholeBudget({
  organisationQuery,
  budgets,
}: {
  organisationQuery: OrganisationQuery
  budgets: Budgets
}) {
  const [openDialog, setOpenDialog] = useState<'set' | 'remove' | null>(null)
  const { whole, month, organization } = budgets
  const { budget, spentPaise } = whole
  const subject = { name: organization, spending: whole }
  const close = () => setOpenDialog(null)
  return (
    <section className={`panel stack`} aria-labelledby="whole">
      <div className="ends">
        <h2 id="whole">
          {organization} in {dayjs.utc(`${month}-01`).format('MMMM YYYY')}
        </h2>
        <div className="row">
          <Button variant="default" onClick={() => setOpenDialog('set')}>
            {budget === null ? 'Set a Budget' : 'Change the Budget'}
          </Button>
          {budget !== null && (
            <Button variant="default" onClick={() => setOpenDialog('remove')}>
              Remove the Budget
            </Button>
          )}
        </div>
      </div>
      <p className={styles.spent}>
        <span className="figure">
          <Rupees paise={spentPaise} />
        </span>{' '}
        spent this month
      </p>
      {budget !== null && (
        <>
          <Bar
            label={`Budget used by ${organization}`}
            value={spentPaise}
            total={budget.amountPaise}
            text={usedOf(whole)}
          />
          {budget.usedUp && (
            <p role="alert">
              This month’s budget is used up: machines stay off until the budget is raised or the month ends.
            </p>
          )}
          <p className="dim">
            {budget.spendingCap ? 'At 100 % all machines are stopped.' : 'At 100 % nothing is stopped.'} Set by{' '}
            {budget.setBy}.
          </p>
        </>
      )}
      <ForecastOf organisationQuery={organisationQuery} />
      {openDialog === 'set' && (
        <Suspense>
          <BudgetDialog organisationQuery={organisationQuery} subject={subject} close={close} />
        </Suspense>
      )}
      {openDialog === 'remove' && (
        <RemoveBudget organisationQuery={organisationQuery} subject={subject} close={close} />
      )}
    </section>
  )
}
