import { Button } from '@mantine/core'
import { lazy, Suspense, useId, useState } from 'react'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Ahead } from '@trainyard/usage/web/Ahead.tsx'
import { type OrganisationQuery, type Subject, usedOf } from './budget.ts'
import styles from './Budgets.module.css'
import { RemoveBudget } from './RemoveBudget.tsx'

const BudgetDialog = lazy(() => import('./BudgetDialog.tsx'))

interface BudgetPanelProps {
  organisationQuery: OrganisationQuery
  subject: Subject
  heading: string
  /** Period of the spending, such as "this month". */
  period: string
}

/** Spending and budget of a training or an organisation. */
export function BudgetPanel({ organisationQuery, subject, heading, period }: BudgetPanelProps) {
  const [openDialog, setOpenDialog] = useState<'set' | 'remove' | null>(null)
  const id = useId()
  const { name, trainingName, spending } = subject
  const { budget, spentPaise } = spending
  const close = () => setOpenDialog(null)
  return (
    <section className="panel stack" aria-labelledby={id}>
      <div className="ends">
        <h2 id={id}>{heading}</h2>
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
        spent {period}
      </p>
      {budget !== null && (
        <>
          <Bar label={`Budget used by ${name}`} value={spentPaise} total={budget.amountPaise} text={usedOf(spending)} />
          {budget.usedUp && (
            <p role="alert">
              {trainingName === undefined
                ? 'This month’s budget is used up: machines stay off until the budget is raised or the month ends.'
                : 'The budget is used up: machines stay off until it is raised.'}
            </p>
          )}
          <p className="dim">
            {budget.spendingCap ? 'At 100 % all machines are stopped.' : 'At 100 % nothing is stopped.'} Set by{' '}
            {budget.setBy}.
          </p>
        </>
      )}
      {trainingName !== undefined && <Ahead {...organisationQuery} trainingName={trainingName} />}
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
