import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { metering } from '@trainyard/contract/calls/metering.ts'
import { api } from '#src/api.ts'
import type { OfTraining } from '#src/selection.ts'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Instant } from '#src/ui/Instant.tsx'
import { Rupees, rupeesColumn } from '#src/ui/Rupees.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import styles from './Billing.module.css'
import { formatHours } from '#src/ui/hours.ts'
import { PaperHead } from './PaperHead.tsx'
import { Runs } from './Runs.tsx'

type Line = ReplyOf<typeof metering.lines>['lines'][number]

const REFRESH_MS = 30_000

interface LinesProps {
  of: OfTraining
}

/** What the amount is made of: a line a machine. A line opens on its runs. */
export default function Lines({ of }: LinesProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const bill = useQuery({
    queryKey: ['bill lines', of],
    queryFn: ({ signal }) => api.metering.lines(of, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const columns = useMemo(() => columnsWith(setOpened), [])
  return (
    <section className={`stack ${styles.lines}`} aria-labelledby="lines">
      {bill.data && <PaperHead asOf={bill.data.asOf} />}
      <div className="stack" style={{ gap: 'var(--gap-1)' }}>
        <h2 id="lines">What the amount is made of</h2>
        {bill.data && (
          <p className="dim">
            <Rupees amount={bill.data.amount} /> up to <Instant at={bill.data.asOf} />: each machine’s runs at the price
            of its order, rounded to the paisa once.
          </p>
        )}
      </div>
      {bill.data ? (
        <DataTable
          label="Lines of the bill"
          rows={bill.data.lines}
          rowId={({ machine }) => machine}
          columns={columns}
          empty="Nothing was ordered for this training yet."
          search
          stacks
          csv={`Bill ${of.trainingName}`}
          onRowClick={({ machine }) => setOpened(machine)}
        />
      ) : bill.isError ? (
        <FetchFailed text={bill.error.message} retry={() => void bill.refetch()} />
      ) : (
        <Skeleton rows={4} height="2rem" />
      )}
      {bill.data && bill.data.lines.length > 0 && (
        <p className={styles.total}>
          <span>Total</span>
          <Rupees amount={bill.data.amount} />
        </p>
      )}
      {opened !== null && <Runs machine={opened} close={() => setOpened(null)} />}
    </section>
  )
}

const columnsWith = (open: (machine: string) => void): readonly Column<Line>[] => [
  {
    id: 'machine',
    header: 'Instance',
    value: ({ machine }) => machine,
    cell: ({ machine }) => (
      <button
        type="button"
        className={styles.machine}
        onClick={(event) => {
          event.stopPropagation()
          open(machine)
        }}
      >
        {machine}
      </button>
    ),
  },
  { id: 'email', header: 'Email', value: ({ email }) => email },
  rupeesColumn('rate', 'Rate an hour'),
  {
    id: 'access',
    header: 'Browser access',
    value: ({ guacamole }) => (guacamole ? 'included' : null),
  },
  { id: 'runs', header: 'Runs', align: 'end', value: ({ runs }) => runs, sortBy: ({ runs }) => runs },
  {
    id: 'hours',
    header: 'Hours',
    align: 'end',
    value: ({ seconds }) => Math.round(seconds / 36) / 100,
    sortBy: ({ seconds }) => seconds,
    cell: ({ seconds }) => formatHours(seconds),
  },
  rupeesColumn('amount', 'Amount'),
]
