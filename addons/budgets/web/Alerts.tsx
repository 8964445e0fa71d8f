import { useQuery } from '@tanstack/react-query'
import type { BudgetAlert } from '../contract/budget.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'
import { hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { type OrganisationQuery, rupees, usedPercent } from './budget.ts'
import styles from './Budgets.module.css'

const REFRESH_MS = 30_000

export function Alerts({ organisationQuery }: { organisationQuery: OrganisationQuery }) {
  const { data } = useQuery({ ...query(api.budget.alerts, organisationQuery), refetchInterval: REFRESH_MS })
  const dismissal = useDedupedMutation({
    mutationFn: (_id: string) => api.budget.putAway({ _id }),
    onSuccess: () => invalidate(api.budget.alerts),
    onError: (error) => notify.alert(error.message),
  })
  if (data === undefined || data.alerts.length === 0) return null
  return (
    <ul className={styles.alerts} aria-label="Alerts">
      {data.alerts.map((alert) => (
        <li key={alert._id} className={styles.alert} data-full={alert.percent === 100 || undefined}>
          <span role={alert.percent === 100 ? 'alert' : 'status'}>{alertText(alert)}</span>
          <span className="dim">
            <Instant at={alert.at} />
          </span>
          <TextButton
            disabled={dismissal.isPending}
            label={`Dismiss: ${alertText(alert)}`}
            onClick={() => dismissal.mutate(alert._id)}
          >
            Dismiss
          </TextButton>
        </li>
      ))}
    </ul>
  )
}

function alertText({ trainingName, kind, percent, used, total }: BudgetAlert): string {
  const figure = (amount: number) => (kind === 'budget' ? rupees(amount) : `${hoursUsed(amount)} h`)
  const subject = trainingName === null ? 'this month' : trainingName
  return `${kind === 'budget' ? 'Budget' : 'Quota'} of ${subject}: ${usedPercent({ percent, used, total })} % used (${figure(used)} of ${figure(total)}).`
}
