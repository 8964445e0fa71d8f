import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import type { Budgets, OrganisationQuery } from './budget.ts'
import { BudgetPanel } from './BudgetPanel.tsx'

interface WholeBudgetProps {
  organisationQuery: OrganisationQuery
  budgets: Budgets
}

export const WholeBudget = ({ organisationQuery, budgets: { whole, month, organization } }: WholeBudgetProps) => (
  <BudgetPanel
    organisationQuery={organisationQuery}
    subject={{ name: organization, spending: whole }}
    heading={`${organization} in ${dayjs.utc(`${month}-01`).format('MMMM YYYY')}`}
    period="this month"
  />
)
