import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { isAccessRevoked, TrainingFetchFailed } from '@trainyard/trainings/web/TrainingFetchFailed.tsx'
import { useAccess } from '@trainyard/trainings/web/useAccessWindow.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { formatHours } from '@trainyard/platform/web/ui/hours.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Figure } from '@trainyard/platform/web/ui/Fact.tsx'
import styles from './Billing.module.css'
import { MonthEnd } from './MonthEnd.tsx'
import { useOutlook } from './useOutlook.ts'

const MoneyChart = lazy(async () => ({ default: (await import('./MoneyChart.tsx')).MoneyChart }))
const Lines = lazy(() => import('./Lines.tsx'))

/** Poll interval in ms: hours and cost grow while machines run. */
const REFRESH_MS = 30_000

export default function Billing() {
  const { trainingQuery } = useSelection()
  const access = useAccess(trainingQuery)
  const billing = useQuery({
    ...query(api.meter.bill, trainingQuery && { ...trainingQuery, lines: 'yes' }),
    enabled: access === true,
    refetchInterval: REFRESH_MS,
  })
  const { role } = useMe()
  const outlook = useOutlook(role === 'user' ? null : trainingQuery)
  return (
    <Screen>
      {trainingQuery === null ? (
        <SelectTraining />
      ) : billing.data && access !== false && !isAccessRevoked(billing.error) ? (
        <>
          <div className={styles.cards}>
            <section className={`panel ${styles.card}`} aria-labelledby="instances">
              <h2 id="instances">Compute Instance Summary</h2>
              <dl className={styles.counts}>
                <Figure term="Total">{billing.data.Status.online + billing.data.Status.offline}</Figure>
                <Figure term="Running">{billing.data.Status.online}</Figure>
                <Figure term="Stopped">{billing.data.Status.offline}</Figure>
              </dl>
            </section>
            <section className={`panel ${styles.card}`} aria-labelledby="hours">
              <h2 id="hours">Total Runtime Hours</h2>
              <p className={`figure ${styles.figure}`}>
                {formatHours(billing.data.Duration * 3600)} <span className="unit">hours</span>
              </p>
            </section>
            <section className={`panel ${styles.card}`} aria-labelledby="cost">
              <h2 id="cost">Usage Cost Estimate</h2>
              <p className={`figure ${styles.figure}`}>
                <Rupees amount={billing.data.Amount} />
                {outlook.data?.training && (
                  <span className={styles.note}>
                    {formatRupees(outlook.data.training.paisePerHour / 100)} an hour now
                  </span>
                )}
              </p>
            </section>
            {outlook.data?.training && <MonthEnd outlook={outlook.data} />}
          </div>
          <Suspense fallback={<Skeleton rows={1} height="17rem" />}>
            <MoneyChart training={trainingQuery} />
          </Suspense>
          <Suspense fallback={<Skeleton rows={4} height="2rem" />}>
            <Lines training={trainingQuery} bill={billing.data} />
          </Suspense>
        </>
      ) : access === false || billing.isError ? (
        <TrainingFetchFailed
          training={trainingQuery}
          access={access}
          error={billing.error}
          text={ALERTS.billingFailed}
          retry={() => void billing.refetch()}
        />
      ) : (
        <Skeleton rows={1} height="9rem" />
      )}
    </Screen>
  )
}
