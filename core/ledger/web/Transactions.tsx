import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { Button, NativeSelect } from '@mantine/core'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { rupeesColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import type { NamedPeriod } from './periods.ts'
import { paymentActions } from './slots.ts'
import type { Line, Statement } from './statement.ts'
import { saveCsv } from '@trainyard/platform/web/ui/saveCsv.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'

interface TransactionsProps {
  name: string
  statement: Statement
  periods: readonly NamedPeriod[]
  period: string
  choosePeriod: (name: string) => void
}

export function Transactions({ name, statement, periods, period, choosePeriod }: TransactionsProps) {
  return (
    <DataTable
      label="Transactions"
      rows={statement.lines}
      // Entries of different kinds can have the same ID.
      rowId={({ id, kind }) => `${kind} ${id}`}
      columns={COLUMNS}
      empty={EMPTY.transactions}
      search
      stacks
      sortedBy={{ id: 'date', desc: true }}
      tools={
        <>
          <NativeSelect
            size="sm"
            aria-label="Period"
            data={[{ value: '', label: 'All entries' }, ...periods.map((each) => each.name)]}
            {...controlledText(period, choosePeriod)}
          />
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveStatement(name, statement)}
          >
            Export CSV
          </Button>
          <Button variant="default" size="sm" onClick={() => print()}>
            Print statement
          </Button>
        </>
      }
    />
  )
}

const AMOUNT_WIDTH = '9.5rem'

const COLUMNS: readonly Column<Line>[] = [
  { id: 'place', header: 'Sl', width: '3.5rem', value: (_, index) => index + 1, sortable: false, onPhone: false },
  {
    id: 'date',
    header: 'Date',
    width: '7.5rem',
    value: ({ date }) => formatDate(date),
    sortBy: ({ order }) => order,
  },
  { id: 'particular', header: 'Particular', value: ({ particular }) => particular },
  rupeesColumn('invoice', 'Invoice', AMOUNT_WIDTH),
  rupeesColumn('payment', 'Payment', AMOUNT_WIDTH),
  {
    id: 'id',
    header: 'ID',
    value: ({ id }) => id,
    cell: ({ id, kind, payment }) => (
      <>
        <span className="mono">{id}</span>{' '}
        {kind === 'payment' && payment !== null && payment > 0 && <Fills of={paymentActions} props={{ id }} />}
      </>
    ),
  },
  rupeesColumn('balance', 'Balance', AMOUNT_WIDTH),
]

function saveStatement(name: string, { lines, opening, closing, invoiced, paid }: Statement): void {
  saveCsv(`Statement ${name}`, [
    ['Sl', 'Date', 'Particular', 'Invoice', 'Payment', 'ID', 'Balance'],
    [null, null, 'Opening balance', null, null, null, opening],
    ...lines.map(({ date, particular, invoice, payment, id, balance }, index) => [
      index + 1,
      date,
      particular,
      invoice,
      payment,
      id,
      balance,
    ]),
    [null, null, 'Closing balance', invoiced, paid, null, closing],
  ])
}
