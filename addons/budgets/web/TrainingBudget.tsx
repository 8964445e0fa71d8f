import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import type { Budgets, OrganisationQuery } from './budget.ts'
import { BudgetPanel } from './BudgetPanel.tsx'

interface TrainingBudgetProps {
  organisationQuery: OrganisationQuery
  training: TrainingQuery
  budgets: Budgets
}

/** Budget of the selected training. */
export function TrainingBudget({ organisationQuery, training, budgets }: TrainingBudgetProps) {
  const { trainingName } = training
  const spending = budgets.trainings.find((each) => each.trainingName === trainingName)
  if (spending === undefined) return null
  return (
    <BudgetPanel
      organisationQuery={organisationQuery}
      subject={{ name: trainingName, trainingName, spending }}
      heading={trainingName}
      period="so far"
    />
  )
}
