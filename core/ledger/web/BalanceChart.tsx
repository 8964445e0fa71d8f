import { useMemo } from 'react'
import { formatRupees, shortRupees } from '@trainyard/platform/contract/words/money.ts'
import { Chart } from '@trainyard/platform/web/ui/chart/Chart.tsx'
import { balanceSeries } from './balance-series.ts'
import type { Statement } from './statement.ts'

interface BalanceChartProps {
  statement: Statement
  /** YYYY-MM-DD. */
  until: string
}

export default function BalanceChart({ statement, until }: BalanceChartProps) {
  const points = useMemo(() => balanceSeries(statement, until), [statement, until])
  const labels = useMemo(() => points.map(({ at }) => at), [points])
  const series = useMemo(
    () => [{ label: 'Balance', kind: 'steps' as const, values: points.map(({ value }) => value) }],
    [points],
  )
  if (points.length < 2) return null
  return (
    <Chart
      title="Balance over time"
      xLabel="Day"
      labels={labels}
      series={series}
      format={formatRupees}
      tick={shortRupees}
    />
  )
}
