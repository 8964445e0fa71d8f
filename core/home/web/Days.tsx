import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import { formatRupees, shortRupees, paise, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { Chart } from '@trainyard/platform/web/ui/chart/Chart.tsx'
import { sinceFirstUse } from '@trainyard/platform/web/ui/chart/first-use.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import styles from './Dashboard.module.css'

type Day = ReplyOf<typeof home.usage>['days'][number]

const formatCount = (value: number) => String(value)

export default function Days({ days }: { days: readonly Day[] }) {
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
    <>
      <Weeks days={days} />
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
    </>
  )
}

/** Compares the last seven completed days with the seven before them. */
function Weeks({ days }: { days: readonly Day[] }) {
  const [before, now] = [days.slice(-14, -7), days.slice(-7)].map((week) => ({
    paise: week.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
    machines: Math.max(0, ...week.map(({ machines }) => machines)),
  }))
  return (
    <p>
      Last 7 days: <strong>{formatRupees(rupeesOfPaise(paise(now!.paise)))}</strong>,{' '}
      {changeInWords(before!.paise, now!.paise)}; at most <strong>{countOf(now!.machines, 'machine')}</strong> a day,{' '}
      {before!.machines} in the week before.
    </p>
  )
}

function changeInWords(before: number, now: number): string {
  if (before === 0) return 'none in the week before'
  const percent = Math.round((Math.abs(now - before) / before) * 100)
  return percent === 0
    ? 'as in the week before'
    : `${percent} % ${now > before ? 'more' : 'less'} than in the week before`
}
