import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { MoneyChart } from '@trainyard/usage/web/MoneyChart.tsx'
import { Alerts } from './Alerts.tsx'
import styles from './Budgets.module.css'
import { TrainingBudget } from './TrainingBudget.tsx'
import { TrainingBudgets } from './TrainingBudgets.tsx'
import { WholeBudget } from './WholeBudget.tsx'

/** Poll interval in ms: spending grows while machines run. */
const REFRESH_MS = 30_000

export default function Budgets() {
  const { organization, trainingQuery } = useSelection()
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
              <div className={styles.panels}>
                {trainingQuery && (
                  <TrainingBudget
                    key={trainingQuery.trainingName}
                    organisationQuery={organisationQuery}
                    training={trainingQuery}
                    budgets={data}
                  />
                )}
                <WholeBudget organisationQuery={organisationQuery} budgets={data} />
              </div>
              {trainingQuery && <MoneyChart training={trainingQuery} />}
              <TrainingBudgets organisationQuery={organisationQuery} budgets={data} />
            </>
          )}
        </Fetched>
      )}
    </Screen>
  )
}
