import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { formatRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Chart } from '@trainyard/platform/web/ui/chart/Chart.tsx'
import { sinceFirstUse } from '@trainyard/platform/web/ui/chart/first-use.ts'
import { hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import styles from './Billing.module.css'

const REFRESH_MS = 300_000
const formatHours = (value: number) => `${hoursUsed(value * 60)} h`

interface DailyProps {
  training: TrainingQuery
}

export default function Daily({ training }: DailyProps) {
  const usage = useQuery({ ...query(api.meter.daily, { ...training, days: '30' }), refetchInterval: REFRESH_MS })
  const days = useMemo(() => sinceFirstUse(usage.data?.days, ({ hours }) => hours > 0), [usage.data])
  const hours = useMemo(() => days?.map(({ date, hours }) => ({ at: formatDay(date), value: hours })), [days])
  const costs = useMemo(
    () => days?.map(({ date, amountPaise }) => ({ at: formatDay(date), value: rupeesOfPaise(paise(amountPaise)) })),
    [days],
  )
  if (usage.isError) return null
  if (hours === undefined || costs === undefined) return <Skeleton rows={1} height="17rem" />
  return (
    <div className={styles.charts}>
      <Chart title="Run time per day" xLabel="Day" points={hours} format={formatHours} />
      <Chart title="Cost per day" xLabel="Day" points={costs} format={formatRupees} />
    </div>
  )
}
