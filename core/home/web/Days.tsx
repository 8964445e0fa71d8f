import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import { formatRupees, shortRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { Chart } from '@trainyard/platform/web/ui/chart/Chart.tsx'
import { sinceFirstUse } from '@trainyard/platform/web/ui/chart/first-use.ts'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import styles from './Dashboard.module.css'

const formatCount = (value: number) => String(value)

export default function Days({ days }: { days: ReplyOf<typeof home.usage>['days'] }) {
  const used = useMemo(() => sinceFirstUse(days, ({ machines }) => machines > 0) ?? [], [days])
  const labels = useMemo(() => used.map(({ date }) => formatDay(date)), [used])
  const machines = useMemo(
    () => [{ label: 'Machines', kind: 'bars' as const, values: used.map((day) => day.machines) }],
    [used],
  )
  const costs = useMemo(
    () => [{ label: 'Cost', kind: 'bars' as const, values: used.map((day) => rupeesOfPaise(paise(day.amountPaise))) }],
    [used],
  )
  if (used.length === 0) return null
  return (
    <div className={styles.charts}>
      <Chart title="Machines per day" xLabel="Day" labels={labels} series={machines} format={formatCount} />
      <Chart
        title="Cost per day"
        xLabel="Day"
        labels={labels}
        series={costs}
        format={formatRupees}
        tick={shortRupees}
      />
    </div>
  )
}
