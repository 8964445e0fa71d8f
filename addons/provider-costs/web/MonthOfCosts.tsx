import { NativeSelect } from '@mantine/core'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { cost } from '../contract/cost.ts'
import { COST_OWNERS } from '../contract/cost-words.ts'
import { formatMonth } from '@trainyard/ledger/contract/tax-document.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { Figure } from '@trainyard/platform/web/ui/Fact.tsx'
import { formatCost } from './adoptable.ts'
import styles from './Costs.module.css'

type Month = ReplyOf<typeof cost.month>
type Row = Month['rows'][number]

export function MonthOfCosts({ data, choose }: { data: Month; choose: (month: string) => void }) {
  if (data.month === null) {
    return <EmptyState text="No provider bill has been imported yet. Import a cost export from Azure or AWS." />
  }
  const margin = marginOf(data)
  return (
    <section className="stack" aria-labelledby="month">
      <div className="row">
        <h2 id="month">{formatMonth(data.month)}</h2>
        <NativeSelect
          size="sm"
          aria-label="Month"
          data={data.months.map((each) => ({ value: each, label: formatMonth(each) }))}
          {...controlledText(data.month, choose)}
        />
      </div>
      <dl className={`panel ${styles.figures}`}>
        <Figure term="Charged">
          <Rupees paise={data.chargedPaise} />
        </Figure>
        <Figure term="Cost">{formatCost(data.cost, 'Nothing')}</Figure>
        {data.tax.length > 0 && <Figure term="Tax on the bills">{formatCost(data.tax)}</Figure>}
        <Figure term="Margin">{margin === null ? 'Unknown' : <Rupees paise={margin} />}</Figure>
        <Figure term="Unclaimed">{formatCost(data.unclaimed, 'Nothing')}</Figure>
      </dl>
      {notesOf(data).map((note) => (
        <p key={note} className="dim">
          {note}
        </p>
      ))}
      <DataTable
        label="Charges and costs"
        rows={data.rows}
        rowId={({ owner, organization, trainingName }) => `${owner} ${organization} ${trainingName}`}
        columns={COLUMNS}
        empty="No costs were billed in this month."
        search
        stacks
        csv="Charges and costs"
      />
    </section>
  )
}

/**
 * Returns charges minus costs in paise; null if there are no costs, if some costs are in another currency, or if the
 * bill has no day to compare charges with.
 */
const marginOf = ({ chargedPaise, cost, throughDay }: Month): number | null =>
  throughDay !== null && cost.length === 1 && cost[0]!.currency === 'INR' ? chargedPaise - cost[0]!.hundredths : null

function notesOf({ throughDay, open, amortised, cost, tax }: Month): string[] {
  return [
    throughDay === null
      ? 'This month’s bill has no Azure usage, so no charges are compared with it.'
      : `Days are in UTC, as providers count them. Charges are counted until the end of ${formatDate(throughDay)}, the last billed day.`,
    ...(open ? ['Providers add lines up to three days late and still correct this month. Import it again later.'] : []),
    ...(amortised ? ['The bill is amortised: prepaid amounts are spread over the days that they cover.'] : []),
    ...(tax.length > 0
      ? ['Costs and margins are without tax. GST on the bills of providers is input tax, not a cost.']
      : []),
    ...(cost.some(({ currency }) => currency !== 'INR')
      ? ['Charges are in rupees. No margin is shown for costs in another currency.']
      : []),
  ]
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'organization',
    header: 'Organisation',
    value: ({ organization, owner }) => organization ?? COST_OWNERS[owner],
  },
  { id: 'trainingName', header: 'Training', value: ({ trainingName }) => trainingName },
  amountColumn('chargedPaise', 'Charged', 'Not charged'),
  {
    id: 'cost',
    header: 'Cost',
    align: 'end',
    value: ({ cost }) => formatCost(cost, 'Not on the bill'),
    sortBy: ({ cost }) => cost[0]?.hundredths ?? null,
  },
  amountColumn('marginPaise', 'Margin', ''),
  {
    id: 'percent',
    header: 'Margin %',
    align: 'end',
    value: ({ marginPaise, chargedPaise }) =>
      marginPaise === null || !chargedPaise ? null : Math.round((marginPaise / chargedPaise) * 1_000) / 10,
    cell: ({ marginPaise, chargedPaise }) =>
      marginPaise === null || !chargedPaise ? '' : `${((marginPaise / chargedPaise) * 100).toFixed(1)} %`,
  },
]

function amountColumn(id: 'chargedPaise' | 'marginPaise', header: string, textIfNull: string): Column<Row> {
  return {
    id,
    header,
    align: 'end',
    value: ({ [id]: amount }) => (amount === null ? null : amount / 100),
    cell: ({ [id]: amount }) => (amount === null ? textIfNull : <Rupees paise={amount} />),
  }
}
