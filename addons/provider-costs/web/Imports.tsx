import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { CostImport } from '../contract/cost.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { DeleteButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { formatCost } from './adoptable.ts'
import styles from './Costs.module.css'

/** Poll interval in ms while an import is in progress. */
const REFRESH_MS = 1_000

type Counts = NonNullable<NonNullable<CostImport['summary']>['counts']>

const isFinished = ({ endedAt }: CostImport): boolean => endedAt !== null

export function Imports() {
  const [removing, setRemoving] = useState<CostImport | null>(null)
  const imports = useQuery({
    ...query(api.cost.imports),
    refetchInterval({ state: { data } }) {
      if (data === undefined || data.imports.every(isFinished)) return false
      // A finished import changes the figures above.
      void invalidate(api.cost.month, api.cost.unclaimed, api.cost.orphans)
      return REFRESH_MS
    },
  })
  const columns = useMemo(() => columnsFor(setRemoving), [])
  return (
    <section className="stack" aria-labelledby="imports">
      <h2 id="imports">Imports</h2>
      <Fetched query={imports} loading={<Skeleton rows={2} height="2rem" />}>
        {(data) => (
          <DataTable
            label="Imports"
            rows={data.imports}
            rowId={({ _id }) => _id}
            columns={columns}
            empty="No imports yet."
            stacks
          />
        )}
      </Fetched>
      {removing !== null && (
        <DeleteDialog
          name={`import of ${removing.files.join(', ')}`}
          remove={() => api.cost.remove({ _id: removing._id })}
          invalidates={['cost']}
          close={() => setRemoving(null)}
        >
          <p>
            {removing.counting === 0
              ? 'None of its lines count now.'
              : `Its ${removing.counting} lines no longer count.`}{' '}
            The file can be imported again.
          </p>
        </DeleteDialog>
      )}
    </section>
  )
}

const columnsFor = (remove: (row: CostImport) => void): readonly Column<CostImport>[] => [
  {
    id: 'files',
    header: 'Files',
    value: ({ files }) => files.join(', '),
    cell: ({ files, format }) => (
      <>
        {files.join(', ')}
        {format !== null && <div className="dim">{format}</div>}
      </>
    ),
  },
  {
    id: 'madeAt',
    header: 'Imported',
    value: ({ madeAt }) => madeAt,
    cell: ({ madeAt, madeBy }) => (
      <>
        <Instant at={madeAt} />
        <div className="dim">{madeBy}</div>
      </>
    ),
  },
  { id: 'state', header: 'Result', cell: (row) => <Result row={row} /> },
  {
    id: 'actions',
    header: 'Actions',
    width: '6rem',
    cell: (row) => <DeleteButton name={`import of ${row.files.join(', ')}`} onClick={() => remove(row)} />,
  },
]

function Result({ row }: { row: CostImport }) {
  const { state, received, linesRead, badLines, badCount } = row
  if (state === 'receiving') return <Bar label="Received" value={received} total={100} />
  if (state === 'waiting') return <output>{linesRead === 0 ? 'Waiting to start.' : `${linesRead} lines read.`}</output>
  return (
    <>
      {sentencesOf(row).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {badCount > 0 && (
        <details>
          <summary>{badCount === 1 ? 'One line can’t be read' : `${badCount} lines can’t be read`}</summary>
          <ul className={styles.bad}>
            {badLines.map(({ file, line, reason }) => (
              <li key={`${file} ${line}`}>
                {file}, line {line}: {reason}.
              </li>
            ))}
          </ul>
          {badCount > badLines.length && <p>and {badCount - badLines.length} more</p>}
        </details>
      )}
    </>
  )
}

function sentencesOf({ state, refusal, summary, lineCount, counting, linesRead, badCount }: CostImport): string[] {
  if (state === 'refused') return badCount > 0 ? [`${linesRead} lines read.`, refusal!] : [refusal!]
  if (state === 'same') return ['This export was already imported. Nothing was changed.']
  if (summary === null) return []
  const { days, total, tax = [], replaced, doubled, counts } = summary
  return [
    `${lineCount} lines of ${formatDate(days[0])} to ${formatDate(days[1])}, ${formatCost(total)}${tax.length > 0 ? ` and ${formatCost(tax)} tax` : ''}.`,
    ...(counts === undefined ? [] : [countsSentence(counts)]),
    ...(replaced > 0 ? [`They replaced ${replaced} lines of earlier exports.`] : []),
    ...(doubled > 0 && counts === undefined ? [`${doubled} duplicate lines count once.`] : []),
    ...(counting < lineCount ? [`A later export replaced ${lineCount - counting} of them.`] : []),
  ]
}

function countsSentence({ read, matched, unmatched, leftOut }: Counts): string {
  const { doubled, unreadable, aboveHeader } = leftOut
  const reasons = [
    ...(doubled > 0 ? [`${doubled} duplicate`] : []),
    ...(unreadable > 0 ? [`${unreadable} unreadable`] : []),
    ...(aboveHeader > 0 ? [`${aboveHeader} above the header`] : []),
  ]
  const skippedText = `${doubled + unreadable + aboveHeader} left out${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`
  return `${read} lines read: ${matched} matched, ${unmatched} unmatched, ${skippedText}.`
}
