import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { meter } from '../contract/meter.ts'
import { ALERTS, EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { givenNameFirst, searchedName } from '@trainyard/platform/contract/words/person-name.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { DayStrip } from './DayStrip.tsx'
import { REFRESH_MS, runColumns } from './RunTable.tsx'

type MachineRun = ReplyOf<typeof meter.trainingLogs>['logs'][number]

/** Runs of all machines of a training in one table and one chart. */
export function AllRuns({ training }: { training: TrainingQuery }) {
  const { timeZone } = useMe()
  const runs = useQuery({
    ...query(api.meter.trainingLogs, training),
    select: (reply) => reply.logs,
    refetchInterval: REFRESH_MS,
  })
  const columns = useMemo<readonly Column<MachineRun>[]>(
    () => [
      { id: 'machine', header: 'Instance', value: ({ machine }) => machine },
      {
        id: 'learner',
        header: 'Learner',
        value: ({ email, learnerName }) => (learnerName === null ? email : givenNameFirst(learnerName)),
        searchText: ({ email, learnerName }) => `${email} ${searchedName(learnerName) ?? ''}`,
      },
      ...runColumns(timeZone),
    ],
    [timeZone],
  )
  return (
    <section className="stack" aria-labelledby="runs">
      <h2 id="runs">Logs Explorer - All machines</h2>
      <Fetched query={runs} failed={ALERTS.logsFailed} loading={<output>Loading...</output>}>
        {(data) => (
          <>
            <DayStrip runs={data} now={new Date(runs.dataUpdatedAt).toISOString()} />
            <DataTable
              label="Runs of all machines"
              rows={data}
              rowId={({ machine, start }) => `${machine} ${start}`}
              columns={columns}
              empty={EMPTY.logs}
              search
              stacks
              csv={`Logs ${training.trainingName}`}
            />
          </>
        )}
      </Fetched>
    </section>
  )
}
