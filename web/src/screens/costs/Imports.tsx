import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { CostImport } from '@trainyard/contract/calls/cost.ts'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import { Bar } from '#src/ui/Bar.tsx'
import { DeleteButton } from '#src/ui/DeleteButton.tsx'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Instant } from '#src/ui/Instant.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { formatDate } from '#src/ui/time.ts'
import { moneyWords } from './adoptable.ts'
import styles from './Costs.module.css'

/** The interval, in ms, while one is under way. */
const REFRESH_MS = 1_000

const isOver = ({ endedAt }: CostImport): boolean => endedAt !== null

/** The newest imports, and how far each is. */
export function Imports() {
  const [removing, setRemoving] = useState<CostImport | null>(null)
  const imports = useQuery({
    ...query(api.cost.imports),
    refetchInterval({ state: { data } }) {
      if (data === undefined || data.imports.every(isOver)) return false
      // An import that ends changes the figures above.
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
            empty="Nothing has been imported yet."
            stacks
          />
        )}
      </Fetched>
      {removing !== null && (
        <DeleteDialog
          name={`import of ${removing.files.join(', ')}`}
          remove={() => api.cost.remove({ _id: removing._id })}
          renews={['cost']}
          close={() => setRemoving(null)}
        >
          <p>
            {removing.counting === 0 ? 'Nothing of it counts now.' : `Its ${removing.counting} lines count no more.`}{' '}
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
  if (state === 'waiting')
    return <output>{linesRead === 0 ? 'Waits for its turn.' : `${linesRead} lines read.`}</output>
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

function sentencesOf({ state, refusal, summary, lineCount, counting }: CostImport): string[] {
  if (state === 'refused') return [refusal!]
  if (state === 'same') return ['The same has been imported already: nothing was changed.']
  if (summary === null) return []
  const { days, total, replaced, doubled } = summary
  return [
    `${lineCount} lines of ${formatDate(days[0])} to ${formatDate(days[1])}, ${moneyWords(total)}.`,
    ...(replaced > 0 ? [`They took the place of ${replaced} lines of earlier exports.`] : []),
    ...(doubled > 0 ? [`${doubled} lines were in it twice, and count once.`] : []),
    ...(counting < lineCount ? [`A later export took the place of ${lineCount - counting} of them.`] : []),
  ]
}
