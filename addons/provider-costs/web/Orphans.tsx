import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Orphan } from '../contract/cost.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DeleteButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { type Adoptable, formatCost } from './adoptable.ts'

const DeleteOrphan = lazy(() => import('./DeleteOrphan.tsx'))

/** Poll interval in ms: deletions at the provider take a while. */
const REFRESH_MS = 10_000

/** Machines at the provider with our tag but without a row. */
export function Orphans({ adopt }: { adopt: (what: Adoptable) => void }) {
  const [chosenOrphan, setChosenOrphan] = useState<Orphan | null>(null)
  const orphans = useQuery({ ...query(api.cost.orphans), refetchInterval: REFRESH_MS })
  const columns = useMemo(() => columnsFor(adopt, setChosenOrphan), [adopt])
  return (
    <section className="stack" aria-labelledby="orphans">
      <h2 id="orphans">Unclaimed Cloud Resources</h2>
      <Fetched query={orphans} loading={<Skeleton rows={2} height="2rem" />}>
        {(data) => (
          <DataTable
            label="Unclaimed cloud resources"
            rows={data.orphans}
            rowId={({ resourceGroup, name }) => `${resourceGroup} ${name}`}
            columns={columns}
            empty="No unknown resources at the provider."
            stacks
            csv="Unclaimed cloud resources"
          />
        )}
      </Fetched>
      {chosenOrphan !== null && (
        <Suspense>
          <DeleteOrphan orphan={chosenOrphan} close={() => setChosenOrphan(null)} />
        </Suspense>
      )}
    </section>
  )
}

const columnsFor = (adopt: (what: Adoptable) => void, ask: (orphan: Orphan) => void): readonly Column<Orphan>[] => [
  {
    id: 'name',
    header: 'Machine',
    value: ({ name }) => name,
    cell: ({ name, deletion }) => (
      <>
        <span className="mono">{name}</span>
        {deletion !== null && <Reason text={deletion.error ?? `Being deleted, requested by ${deletion.by}.`} />}
      </>
    ),
  },
  { id: 'group', header: 'Group', value: ({ resourceGroup }) => resourceGroup },
  instantColumn('since', 'Seen since'),
  {
    id: 'aDay',
    header: 'Per day',
    align: 'end',
    value: ({ costADay }) => formatCost(costADay),
    sortBy: ({ costADay }) => costADay[0]?.hundredths ?? null,
  },
  {
    id: 'adoptedBy',
    header: 'Adopted by',
    value: ({ adoptedBy }) =>
      adoptedBy && `${adoptedBy.trainingName === null ? '' : `${adoptedBy.trainingName}, `}${adoptedBy.organization}`,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '9rem',
    cell: (orphan) =>
      orphan.tag !== null &&
      orphan.deletion === null && (
        <span className="row" style={{ flexWrap: 'nowrap' }}>
          <TextButton
            label={`Adopt ${orphan.name}`}
            onClick={() => adopt({ provider: 'azure', of: 'tag', value: orphan.tag!, name: orphan.name })}
          >
            Adopt
          </TextButton>
          <DeleteButton name={`orphan ${orphan.name}`} onClick={() => ask(orphan)} />
        </span>
      ),
  },
]
