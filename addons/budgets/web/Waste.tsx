import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { waste } from '../contract/waste.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { formatHours } from '@trainyard/platform/web/ui/hours.ts'
import { paiseColumn, Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import type { OrganisationQuery } from './budget.ts'

const PlanStop = lazy(() => import('./PlanStop.tsx'))

type Training = ReplyOf<typeof waste.list>['trainings'][number]

export function Waste({ organisationQuery }: { organisationQuery: OrganisationQuery }) {
  const [chosenTraining, setChosenTraining] = useState<string | null>(null)
  const waste = useQuery(query(api.waste.list, organisationQuery))
  const columns = useMemo(() => columnsFor(setChosenTraining), [])
  return (
    <section className="stack" aria-labelledby="waste">
      <h2 id="waste">Waste</h2>
      <p className="dim">
        Machines that ran unused for 20 minutes or more: nobody was connected, typed or clicked “I am here”, and the
        processor was idle. Average per week, over those of the last four weeks in which a training ran.
      </p>
      <Fetched query={waste} loading={<Skeleton rows={2} height="2rem" />}>
        {({ trainings }) => (
          <DataTable
            label="Waste of trainings"
            rows={trainings}
            rowId={({ trainingName }) => trainingName}
            columns={columns}
            empty="No machines ran in the last four weeks."
            stacks
            csv="Waste"
          />
        )}
      </Fetched>
      {chosenTraining !== null && (
        <Suspense>
          <PlanStop
            organisationQuery={organisationQuery}
            trainingName={chosenTraining}
            close={() => setChosenTraining(null)}
          />
        </Suspense>
      )}
    </section>
  )
}

const columnsFor = (ask: (training: string) => void): readonly Column<Training>[] => [
  { id: 'trainingName', header: 'Training', value: ({ trainingName }) => trainingName },
  {
    ...paiseColumn('lostPaiseAWeek', 'Wasted per week'),
    cell: ({ lostPaiseAWeek, measuredSeconds }: Training) =>
      measuredSeconds === 0 ? 'Not measured' : <Rupees paise={lostPaiseAWeek} />,
  },
  {
    id: 'idle',
    header: 'Unused hours',
    align: 'end',
    value: ({ idleSeconds, weeks }) => formatHours(idleSeconds / weeks),
    sortBy: ({ idleSeconds, weeks }) => idleSeconds / weeks,
  },
  {
    id: 'ran',
    header: 'Hours run',
    align: 'end',
    value: ({ ranSeconds, weeks }) => formatHours(ranSeconds / weeks),
    sortBy: ({ ranSeconds, weeks }) => ranSeconds / weeks,
  },
  {
    id: 'measured',
    header: 'Measured',
    align: 'end',
    value: ({ measuredSeconds, ranSeconds }) =>
      ranSeconds === 0 ? null : `${Math.min(100, Math.round((measuredSeconds / ranSeconds) * 100))} %`,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '8rem',
    cell: ({ trainingName }) => (
      <TextButton label={`Reduce waste of ${trainingName}`} onClick={() => ask(trainingName)}>
        Reduce waste
      </TextButton>
    ),
  },
]
