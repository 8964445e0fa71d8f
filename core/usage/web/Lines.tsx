import { givenNameFirst, searchedName } from '@trainyard/platform/contract/words/person-name.ts'
import { useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { BillLine, meter } from '../contract/meter.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { paiseColumn, Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Billing.module.css'
import { formatHours } from '@trainyard/platform/web/ui/hours.ts'
import { PaperHead } from './PaperHead.tsx'
import { Runs } from './Runs.tsx'

interface LinesProps {
  training: TrainingQuery
  /** Same reply as in the figures above the table, so that the totals agree. */
  bill: ReplyOf<typeof meter.bill>
}

export default function Lines({ training, bill: { lines, asOf, Amount } }: LinesProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useMemo(() => columnsWith(lines ?? [], setOpened), [lines])
  if (lines === undefined || asOf === undefined) return null
  return (
    <section className={`stack ${styles.lines}`} aria-labelledby="lines">
      <PaperHead asOf={asOf} />
      <div className="stack" style={{ gap: 'var(--gap-1)' }}>
        <h2 id="lines">Breakdown</h2>
        <p className="dim">
          <Rupees amount={Amount} /> up to <Instant at={asOf} />: each machine’s runs at the price of its order. Only a
          machine’s total is rounded, to the paisa.
        </p>
      </div>
      <DataTable
        label="Lines of the bill"
        rows={lines}
        rowId={({ machine }) => machine}
        columns={columns}
        empty="No machines have been ordered for this training yet."
        search
        stacks
        csv={`Bill ${training.trainingName}`}
        onRowClick={({ machine }) => setOpened(machine)}
      />
      {lines.length > 0 && (
        <p className={styles.total}>
          <span>Total</span>
          <Rupees amount={Amount} />
        </p>
      )}
      {opened !== null && <Runs machine={opened} close={() => setOpened(null)} />}
    </section>
  )
}

/** @param open opens the runs of a machine; null shows its name only */
export const columnsWith = (
  lines: readonly BillLine[],
  open: ((machine: string) => void) | null,
): readonly Column<BillLine>[] => [
  {
    id: 'machine',
    header: 'Instance',
    width: widthFor(lines, ({ machine }) => machine),
    value: ({ machine }) => machine,
    cell: ({ machine }) =>
      open === null ? (
        <code>{machine}</code>
      ) : (
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
  ...(lines.some(({ learnerName }) => learnerName !== null) ? [nameColumn(lines)] : []),
  {
    id: 'email',
    header: 'Email',
    width: widthFor(lines, ({ email }) => email),
    value: ({ email }) => email,
  },
  { ...paiseColumn('paisePerHour', 'Rate per hour'), width: '8rem' },
  {
    id: 'access',
    header: 'Browser access',
    width: '8.5rem',
    value: ({ guacamole }) => (guacamole ? 'included' : null),
  },
  { id: 'runs', header: 'Runs', align: 'end', width: '5rem', value: ({ runs }) => runs, sortBy: ({ runs }) => runs },
  {
    id: 'hours',
    header: 'Hours',
    align: 'end',
    width: '7rem',
    value: ({ seconds }) => Math.round(seconds / 36) / 100,
    sortBy: ({ seconds }) => seconds,
    cell: ({ seconds }) => formatHours(seconds),
  },
  { ...paiseColumn('amountPaise', 'Amount'), width: '9rem' },
]

const nameColumn = (lines: readonly BillLine[]): Column<BillLine> => ({
  id: 'learner',
  header: 'Learner',
  width: widthFor(lines, nameIn),
  value: nameIn,
  searchText: ({ learnerName }) => searchedName(learnerName),
})

const nameIn = ({ learnerName }: BillLine): string => (learnerName === null ? '' : givenNameFirst(learnerName))

/** Returns a column width for the longest text: a virtualised table can't measure rows out of view. */
const widthFor = (lines: readonly BillLine[], textOf: (line: BillLine) => string) =>
  `calc(${Math.max(8, ...lines.map((line) => textOf(line).length))} * 0.62em + 2rem)`
