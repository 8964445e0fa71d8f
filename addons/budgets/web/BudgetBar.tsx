import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { choiceOf } from '@trainyard/platform/web/navigation/useSelection.ts'
import styles from '@trainyard/platform/web/shell/Bar.module.css'
import { usedPercent } from './budget.ts'

const REFRESH_MS = 60_000

export default function BudgetBar() {
  return useLocation().pathname === '/budgets' ? null : <Bar />
}

function Bar() {
  const { data } = useQuery({ ...query(api.budget.alerts, {}), refetchInterval: REFRESH_MS })
  const [first] = data?.alerts ?? []
  if (data === undefined || first === undefined) return null
  const what = `${usedPercent(first)} % of the ${first.kind} of ${first.trainingName ?? 'this month'} is used`
  const furtherAlerts = data.alerts.length - 1
  return (
    <p role={first.percent === 100 ? 'alert' : 'status'} className={`${styles.bar} no-print`}>
      {furtherAlerts === 0
        ? `${what}. `
        : `${what}, and there ${furtherAlerts === 1 ? 'is one more alert' : `are ${furtherAlerts} more alerts`}. `}
      <Link to="/budgets" search={choiceOf}>
        Budgets
      </Link>
    </p>
  )
}
