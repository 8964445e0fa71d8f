import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { SelectCustomer } from '#src/ui/SelectTraining.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Alerts } from './Alerts.tsx'
import { TrainingBudgets } from './TrainingBudgets.tsx'
import { Waste } from './Waste.tsx'
import { WholeBudget } from './WholeBudget.tsx'

/** Poll interval in ms: spending grows while machines run. */
const REFRESH_MS = 30_000

export default function Budgets() {
  const { organization } = useSelection()
  const { role } = useMe()
  const organisationQuery = organization === null ? null : role === 'superadmin' ? { organization } : {}
  const budgets = useQuery({ ...query(api.budget.list, organisationQuery), refetchInterval: REFRESH_MS })
  return (
    <Screen>
      {organisationQuery === null ? (
        <SelectCustomer />
      ) : (
        <Fetched query={budgets} loading={<Skeleton rows={2} height="12rem" />}>
          {(data) => (
            <>
              <Alerts organisationQuery={organisationQuery} />
              <WholeBudget organisationQuery={organisationQuery} budgets={data} />
              <TrainingBudgets organisationQuery={organisationQuery} budgets={data} />
              <Waste organisationQuery={organisationQuery} />
            </>
          )}
        </Fetched>
      )}
    </Screen>
  )
}
