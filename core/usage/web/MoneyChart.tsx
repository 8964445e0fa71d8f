import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatAbout, formatRupees, shortRupees } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { choiceOf } from '@trainyard/platform/web/navigation/useSelection.ts'
import { provided } from '@trainyard/platform/web/shell/modules.ts'
import { useSearchState } from '@trainyard/platform/web/navigation/useSearchState.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Chart } from '@trainyard/platform/web/ui/chart/Chart.tsx'
import { hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { formatDay, today as todayIn } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { ViewSwitch } from '@trainyard/platform/web/ui/ViewSwitch.tsx'
import { moneyDays, type MoneyDay, type Range } from './money-days.ts'
import { planOfDay } from './slots.ts'
import { useOutlook } from './useOutlook.ts'

const DayLines = lazy(() => import('./DayLines.tsx'))

const REFRESH_MS = 300_000
const RANGES: readonly { form: Range; label: string }[] = [
  { form: 'week', label: 'Week' },
  { form: 'month', label: 'Month' },
  { form: '90', label: '90 days' },
]
const isRange = (text: string | undefined): text is Range => RANGES.some(({ form }) => form === text)

/** Cost of a training per day: spent, planned, their sum and the budget. Learners see only what they spent. */
export function MoneyChart({ training }: { training: TrainingQuery }) {
  const seesPlans = useMe().role !== 'user'
  const [{ range: asked }, write] = useSearchState<'range'>({ replaces: true })
  const range = isRange(asked) ? asked : 'month'
  const tools = (
    <ViewSwitch
      label="Range"
      forms={RANGES}
      shown={range}
      choose={(to) => write({ range: to === 'month' ? undefined : to })}
    />
  )
  const Shown = seesPlans ? Plans : Spent
  return <Shown training={training} range={range} tools={tools} />
}

interface ShownProps {
  training: TrainingQuery
  range: Range
  tools: React.ReactNode
}

function Plans({ training, range, tools }: ShownProps) {
  const { data, isError } = useOutlook(training)
  const navigate = useNavigate()
  const plan = provided(planOfDay)
  const [day, setDay] = useState<string | null>(null)
  const days = useMemo(() => (data?.training ? moneyDays(data, data.training, range) : []), [data, range])
  const labels = useMemo(() => days.map(({ date }) => formatDay(date)), [days])
  const series = useMemo(() => planSeries(days), [days])
  const budget = data?.training?.budgetPaise ?? null
  const limit = useMemo(
    () =>
      budget === null
        ? null
        : { label: `Budget ${formatAbout(budget)}${reachedOn(days, budget)}`, value: budget / 100 },
    [budget, days],
  )
  if (isError) return null
  if (data === undefined) return <Skeleton rows={1} height="17rem" />
  return (
    <>
      <Chart
        title={`Spent, planned and budget of ${training.trainingName}`}
        xLabel="Day"
        labels={labels}
        series={series}
        format={formatRupees}
        tick={shortRupees}
        barTick={perDay}
        limit={limit}
        today={formatDay(data.today)}
        tools={tools}
        column={{ label: 'Run time', values: days.map(({ hours }) => `${hoursUsed(hours * 60)} h`) }}
        pick={(index) => {
          const { date } = days[index]!
          if (date <= data.today) setDay(date)
          else if (plan !== null) {
            const { to, search } = plan(date)
            void navigate({ to, search: (now: object) => ({ ...choiceOf(now), ...search }) as never })
          }
        }}
      />
      {day !== null && (
        <Suspense>
          <DayLines training={training} date={day} close={() => setDay(null)} />
        </Suspense>
      )}
    </>
  )
}

const perDay = (amount: number) => `${shortRupees(amount)}/day`

const inRupees = (amount: number | null) => (amount === null ? null : amount / 100)

const planSeries = (days: readonly MoneyDay[]) => {
  const spent = days.map((day) => inRupees(day.spent))
  return [
    {
      label: 'Planned',
      kind: 'bars' as const,
      colour: '--chart-2' as const,
      values: days.map((day) => inRupees(day.planned)),
      above: spent,
    },
    { label: 'Spent', kind: 'bars' as const, values: spent },
    { label: 'Sum', kind: 'line' as const, colour: '--chart-3' as const, values: days.map((day) => inRupees(day.sum)) },
    {
      label: 'Planned sum',
      kind: 'line' as const,
      colour: '--chart-3' as const,
      dashed: true,
      values: days.map((day) => inRupees(day.expected)),
    },
  ]
}

function reachedOn(days: readonly MoneyDay[], budget: number): string {
  const index = days.findIndex(({ sum, expected }) => (sum ?? expected ?? 0) >= budget)
  if (index === -1) return ''
  // Before the shown days, the day is not known.
  return index === 0 ? ', reached' : `, reached ${formatDay(days[index]!.date)}`
}

function Spent({ training, range, tools }: ShownProps) {
  const usage = useQuery({ ...query(api.meter.daily, { ...training, days: '90' }), refetchInterval: REFRESH_MS })
  const [day, setDay] = useState<string | null>(null)
  const now = useNow()
  const today = usage.data && todayIn(now, usage.data.timeZone)
  const days = useMemo(() => {
    if (usage.data === undefined || today === undefined) return []
    const spentPaise = usage.data.days.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
    const known = {
      days: usage.data.days,
      planned: [],
      spentPaise,
      plannedPaise: 0,
      paisePerHour: 0,
      budgetPaise: null,
    }
    return moneyDays({ today, asOf: now.toISOString(), timeZone: usage.data.timeZone }, known, range).filter(
      ({ date }) => date <= today,
    )
  }, [usage.data, today, now, range])
  const labels = useMemo(() => days.map(({ date }) => formatDay(date)), [days])
  const series = useMemo(
    () => [{ label: 'Cost', kind: 'bars' as const, values: days.map(({ spent }) => inRupees(spent)) }],
    [days],
  )
  if (usage.isError) return null
  if (usage.data === undefined) return <Skeleton rows={1} height="17rem" />
  return (
    <>
      <Chart
        title="Cost per day"
        xLabel="Day"
        labels={labels}
        series={series}
        format={formatRupees}
        tick={shortRupees}
        tools={tools}
        column={{ label: 'Run time', values: days.map(({ hours }) => `${hoursUsed(hours * 60)} h`) }}
        pick={(index) => setDay(days[index]!.date)}
      />
      {day !== null && (
        <Suspense>
          <DayLines training={training} date={day} close={() => setDay(null)} />
        </Suspense>
      )}
    </>
  )
}
