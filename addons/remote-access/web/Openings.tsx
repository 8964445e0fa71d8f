import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { remote } from '../contract/remote.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatMilliseconds, OPENING_LABELS } from '@trainyard/machines/web/openings.ts'
import styles from '@trainyard/home/web/Dashboard.module.css'

type Measured = ReplyOf<typeof remote.openings>['measured'][number]

export default function Openings() {
  const openings = useQuery(query(api.remote.openings))
  return (
    <section id="openings" className={styles.section} aria-labelledby="openings-heading">
      <h2 id="openings-heading">Time to Open a Machine</h2>
      <Fetched query={openings} loading={<Skeleton rows={2} height="3rem" />}>
        {({ measured }) => (
          <DataTable
            label="Openings in the browser"
            rows={measured}
            rowId={({ kind, size, location }) => JSON.stringify([kind, size, location])}
            columns={COLUMNS}
            empty="No machine was opened in the browser in the last thirty days."
            maxHeight="22rem"
          />
        )}
      </Fetched>
    </section>
  )
}

const COLUMNS: readonly Column<Measured>[] = [
  { id: 'size', header: 'Size', value: ({ size }) => size, narrow: '30%' },
  { id: 'region', header: 'Region', value: ({ location }) => location, narrow: '22%' },
  { id: 'kind', header: 'Opened as', value: ({ kind }) => OPENING_LABELS[kind], narrow: '18%' },
  {
    id: 'median',
    header: 'Typical',
    align: 'end',
    value: ({ median }) => median,
    cell: ({ median }) => formatMilliseconds(median),
    narrow: '10%',
  },
  {
    id: 'p95',
    header: 'Slowest 5 %',
    align: 'end',
    value: ({ p95 }) => p95,
    cell: ({ p95 }) => formatMilliseconds(p95),
    narrow: '10%',
  },
  { id: 'count', header: 'Openings', align: 'end', value: ({ count }) => count, narrow: '10%' },
]
