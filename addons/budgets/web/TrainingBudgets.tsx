import { lazy, Suspense, useMemo, useState } from 'react'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { DeleteButton, EditButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { type Budgets, type OrganisationQuery, percentOf, rupees, type Subject } from './budget.ts'
import styles from './Budgets.module.css'
import { RemoveBudget } from './RemoveBudget.tsx'

const BudgetDialog = lazy(() => import('./BudgetDialog.tsx'))

type Training = Budgets['trainings'][number]
type Asking = readonly [what: 'set' | 'remove', training: Training]

export function TrainingBudgets({
  organisationQuery,
  budgets,
}: {
  organisationQuery: OrganisationQuery
  budgets: Budgets
}) {
  const [openDialog, setOpenDialog] = useState<Asking | null>(null)
  const columns = useMemo(() => columnsFor((...asked) => setOpenDialog(asked)), [])
  const close = () => setOpenDialog(null)
  const subject = openDialog && subjectOf(openDialog[1])
  return (
    <section className="stack" aria-labelledby="trainings">
      <h2 id="trainings">Trainings</h2>
      <DataTable
        label="Budgets of trainings"
        rows={budgets.trainings}
        rowId={({ trainingName }) => trainingName}
        columns={columns}
        empty="No Training Found"
        search
        stacks
        csv="Budgets"
        sortedBy={{ id: 'trainingName' }}
      />
      {subject && openDialog[0] === 'set' && (
        <Suspense>
          <BudgetDialog organisationQuery={organisationQuery} subject={subject} close={close} />
        </Suspense>
      )}
      {subject && openDialog[0] === 'remove' && (
        <RemoveBudget organisationQuery={organisationQuery} subject={subject} close={close} />
      )}
    </section>
  )
}

const subjectOf = (training: Training): Subject => {
  return { name: training.trainingName, trainingName: training.trainingName, spending: training }
}

const columnsFor = (ask: (...asking: Asking) => void): readonly Column<Training>[] => [
  {
    id: 'trainingName',
    header: 'Training',
    value: ({ trainingName }) => trainingName,
    cell: ({ trainingName }) => <span className={styles.name}>{trainingName}</span>,
  },
  paiseColumn('spentPaise', 'Total spent'),
  {
    id: 'amount',
    header: 'Budget',
    align: 'end',
    value: ({ budget }) => budget && budget.amountPaise / 100,
    cell: ({ budget }) => (budget === null ? 'None' : rupees(budget.amountPaise)),
  },
  {
    id: 'used',
    header: 'Used',
    value: ({ budget, spentPaise }) => budget && Math.round((spentPaise / budget.amountPaise) * 1000) / 10,
    cell: ({ budget, spentPaise, trainingName }) =>
      budget && (
        <Bar
          label={`Budget used by ${trainingName}`}
          value={spentPaise}
          total={budget.amountPaise}
          text={percentOf(spentPaise, budget.amountPaise)}
        />
      ),
  },
  {
    id: 'spendingCap',
    header: 'At 100 %',
    value: ({ budget }) =>
      budget === null ? null : budget.usedUp ? 'Stopped' : budget.spendingCap ? 'Stops' : 'Keeps running',
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '12rem',
    cell: (row) => (
      <span className="row" style={{ flexWrap: 'nowrap' }}>
        <EditButton name={`budget of ${row.trainingName}`} onClick={() => ask('set', row)} />
        {row.budget && <DeleteButton name={`budget of ${row.trainingName}`} onClick={() => ask('remove', row)} />}
      </span>
    ),
  },
]
