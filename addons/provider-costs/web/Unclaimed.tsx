import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { cost } from '../contract/cost.ts'
import { PROVIDER_NAMES } from '../contract/cost-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { type Adoptable, formatCost } from './adoptable.ts'

type Resource = ReplyOf<typeof cost.unclaimed>['resources'][number]

export function Unclaimed({ month, adopt }: { month: string; adopt: (what: Adoptable) => void }) {
  const unclaimed = useQuery(query(api.cost.unclaimed, { month }))
  const columns = useMemo(() => columnsFor(adopt), [adopt])
  return (
    <section className="stack" aria-labelledby="unclaimed">
      <h2 id="unclaimed">Unclaimed Costs</h2>
      <Fetched query={unclaimed} loading={<Skeleton rows={3} height="2rem" />}>
        {({ count, resources }) => (
          <>
            <DataTable
              label="Unclaimed costs"
              rows={resources}
              rowId={({ provider, resource }) => `${provider} ${resource}`}
              columns={columns}
              empty="Every resource on the bill is assigned."
              search
              stacks
              csv="Unclaimed costs"
            />
            {count > resources.length && <p className="dim">and {count - resources.length} cheaper ones</p>}
          </>
        )}
      </Fetched>
    </section>
  )
}

const columnsFor = (adopt: (what: Adoptable) => void): readonly Column<Resource>[] => [
  { id: 'name', header: 'Resource', value: ({ name }) => name },
  {
    id: 'kind',
    header: 'Kind',
    value: ({ provider, kind }) => `${PROVIDER_NAMES[provider]}${kind === '' ? '' : `, ${kind}`}`,
  },
  { id: 'group', header: 'Group', value: ({ resourceGroup }) => resourceGroup },
  { id: 'tag', header: 'Our tag', value: ({ tag }) => tag ?? 'None' },
  {
    id: 'cost',
    header: 'In the month',
    align: 'end',
    value: ({ cost }) => formatCost(cost),
    sortBy: ({ cost }) => cost[0]?.hundredths ?? null,
  },
  {
    id: 'aDay',
    header: 'Per day',
    align: 'end',
    value: ({ costADay }) => formatCost(costADay, 'Not usage'),
    sortBy: ({ costADay }) => costADay[0]?.hundredths ?? null,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '6rem',
    cell: ({ provider, resource, name }) => (
      <TextButton label={`Adopt ${name}`} onClick={() => adopt({ provider, of: 'resource', value: resource!, name })}>
        Adopt
      </TextButton>
    ),
  },
]
