import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { AccountStatement } from '../contract/books.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { paiseColumn, Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate, today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import styles from './Statement.module.css'
import { statementPeriods } from './statement-periods.ts'

export default function Statement() {
  const { organization } = useSelection()
  return organization === null ? (
    <Screen>
      <SelectCustomer />
    </Screen>
  ) : (
    <StatementOf key={organization} organization={organization} />
  )
}

function StatementOf({ organization }: { organization: string }) {
  const { timeZone } = useMe()
  const [periods] = useState(() => statementPeriods(today(new Date(), timeZone)))
  const [period, setPeriod] = useState(periods[0]!.period)
  const { saving, save } = useSaveFile()
  const asked = { organization, period }
  const statement = useQuery(query(api.books.statement, asked))
  return (
    <Screen
      actions={
        <Button
          disabled={saving || statement.data === undefined}
          onClick={() => void save(['books', 'statementPdf'], asked)}
        >
          Download PDF
        </Button>
      }
    >
      <div className={styles.head}>
        <NativeSelect
          label="Period"
          data={periods.map((each) => ({ value: each.period, label: each.name }))}
          {...controlledText(period, setPeriod)}
        />
      </div>
      <Fetched query={statement} loading={<Skeleton rows={6} height="2rem" />}>
        {(data) => <Sheet statement={data} />}
      </Fetched>
    </Screen>
  )
}

function Sheet({ statement }: { statement: AccountStatement }) {
  const { from, to, openingPaise, closingPaise, sums, entries } = statement
  const rows = useMemo(() => entries.map((entry, order) => ({ ...entry, order })), [entries])
  const figures: readonly (readonly [string, number])[] = [
    ['Opening balance', openingPaise],
    ['Invoices', sums.invoices],
    ['Credit notes', 0 - sums.creditNotes],
    ['Payments', 0 - sums.payments],
    ['TDS', 0 - sums.tds],
    ['Refunds', sums.refunds],
    ['Closing balance', closingPaise],
  ]
  return (
    <>
      <section className={`panel ${styles.sums}`} aria-labelledby="sums">
        <h2 id="sums">
          {formatDate(from)} to {formatDate(to)}
        </h2>
        <dl>
          {figures.map(([name, paise]) => (
            <Fact key={name} term={name}>
              <Rupees paise={paise} />
            </Fact>
          ))}
        </dl>
      </section>
      <DataTable
        label="Entries"
        rows={rows}
        rowId={({ order }) => String(order)}
        columns={COLUMNS}
        empty="No entries in this period."
        search
        stacks
        csv={`Statement ${statement.organization} ${from}`}
      />
    </>
  )
}

type Row = AccountStatement['entries'][number] & { readonly order: number }

const amount = (sign: 1 | -1, header: string): Column<Row> => ({
  id: header,
  header,
  align: 'end',
  value: ({ owedPaise }) => (owedPaise * sign > 0 ? (owedPaise * sign) / 100 : null),
  cell: ({ owedPaise }) => (owedPaise * sign > 0 ? <Rupees paise={owedPaise * sign} /> : ''),
})

const COLUMNS: readonly Column<Row>[] = [
  { id: 'date', header: 'Date', width: '7.5rem', value: ({ date }) => formatDate(date), sortBy: ({ order }) => order },
  { id: 'particular', header: 'Particular', value: ({ particular }) => particular },
  { id: 'id', header: 'ID', value: ({ id }) => id, cell: ({ id }) => <span className="mono">{id}</span> },
  amount(1, 'Owed'),
  amount(-1, 'Settled'),
  paiseColumn('balancePaise', 'Balance'),
]
