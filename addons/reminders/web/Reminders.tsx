import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { reminder } from '../contract/reminder.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { paiseColumn } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'

type Reminders = ReplyOf<typeof reminder.list>
type Open = Reminders['open'][number]
type Sent = Reminders['sent'][number]

const queriesOf = ({ organization }: { organization: string }) => [query(api.reminder.list, { organization })] as const

export default function Reminders(props: { organization: string }) {
  const { data } = useQuery(queriesOf(props)[0])
  if (data === undefined || (data.open.length === 0 && data.sent.length === 0)) return null
  return (
    <section className="stack no-print" aria-labelledby="open-invoices">
      <h2 id="open-invoices">Open Invoices and Reminders</h2>
      <p className="dim">
        {data.reminders === 'on'
          ? 'Reminders are mailed to the billing addresses until an invoice is paid.'
          : 'Reminders are off.'}{' '}
        A payment settles the invoice that it names, otherwise the oldest first.
      </p>
      <DataTable
        label="Open Invoices"
        rows={data.open}
        rowId={({ invoice }) => invoice}
        columns={OPEN}
        empty="All invoices are paid."
        stacks
      />
      {data.sent.length > 0 && (
        <DataTable
          label="Reminders"
          rows={data.sent}
          rowId={({ invoice, afterDays }) => `${invoice} ${afterDays}`}
          columns={SENT}
          empty=""
          stacks
        />
      )}
    </section>
  )
}
Reminders.queriesOf = queriesOf

const OPEN: readonly Column<Open>[] = [
  { id: 'invoice', header: 'Invoice', value: ({ invoice }) => invoice },
  { id: 'date', header: 'Date', value: ({ date }) => formatDate(date), sortBy: ({ date }) => date },
  { id: 'dueOn', header: 'Due', value: ({ dueOn }) => formatDate(dueOn), sortBy: ({ dueOn }) => dueOn },
  paiseColumn('openPaise', 'Open'),
  {
    id: 'nextOn',
    header: 'Next Reminder',
    value: ({ nextOn }) => (nextOn === null ? 'none' : formatDate(nextOn)),
    sortBy: ({ nextOn }) => nextOn ?? '',
  },
]

const toWords = ({ to }: Sent): string =>
  to === null ? 'sending' : to.length === 0 ? 'not sent: already paid, or no recipient' : to.join(', ')

const SENT: readonly Column<Sent>[] = [
  instantColumn('at', 'Sent'),
  { id: 'invoice', header: 'Invoice', value: ({ invoice }) => invoice },
  { id: 'afterDays', header: 'Days after Due', align: 'end', value: ({ afterDays }) => afterDays },
  paiseColumn('openPaise', 'Open'),
  { id: 'to', header: 'To', value: toWords },
]
