import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { meter } from '@trainyard/contract/calls/meter.ts'
import { ALERTS, EMPTY } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { ApiError } from '#src/api/error.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Missing } from '#src/ui/Missing.tsx'
import { formatMinutes } from '#src/ui/hours.ts'
import { Instant } from '#src/ui/Instant.tsx'
import { Lamp } from '#src/ui/Lamp.tsx'
import { DayStrip } from './DayStrip.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { formatInstant } from '#src/ui/time.ts'

type Run = ReplyOf<typeof meter.logs>['logs'][number]

/** Poll interval in ms: the duration of a run in progress grows. */
const REFRESH_MS = 30_000

export function RunTable({ machine, choose }: { machine: string; choose: (machine: string) => void }) {
  const { timeZone } = useMe()
  const runs = useQuery({
    ...query(api.meter.logs, { vmName: machine }),
    select: (reply) => reply.logs,
    refetchInterval: REFRESH_MS,
  })
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  if (runs.error instanceof ApiError && runs.error.code === 'notFound') {
    return (
      <Missing
        text={`There is no instance ${machine}.`}
        actionLabel="Choose another instance"
        onAction={() => choose('')}
      />
    )
  }
  return (
    <section className="stack" aria-labelledby="runs">
      <h2 id="runs" style={{ overflowWrap: 'anywhere' }}>
        Logs Explorer - {machine}
      </h2>
      <Fetched query={runs} failed={ALERTS.logsFailed} loading={<output>Loading...</output>}>
        {(data) => (
          <>
            <DayStrip runs={data} now={new Date(runs.dataUpdatedAt).toISOString()} />
            <DataTable
              label={`Runs of ${machine}`}
              rows={data}
              rowId={(run) => run.start}
              columns={columns}
              empty={EMPTY.logs}
              search
              csv={`Logs ${machine}`}
            />
          </>
        )}
      </Fetched>
    </section>
  )
}

const columnsIn = (timeZone: string): readonly Column<Run>[] => [
  {
    id: 'start',
    header: 'Start Time',
    value: (run) => formatInstant(run.start, timeZone),
    sortBy: (run) => run.start,
    narrow: '36%',
    cell: (run) => <Instant at={run.start} />,
  },
  {
    id: 'stop',
    header: 'End Time',
    value: (run) => (run.stop === null ? 'Running' : formatInstant(run.stop, timeZone)),
    sortBy: (run) => run.stop,
    narrow: '36%',
    cell: (run) => (run.stop === null ? <Lamp signal="clear">Running</Lamp> : <Instant at={run.stop} />),
  },
  {
    id: 'duration',
    header: 'Duration (minutes)',
    value: (run) => run.duration,
    cell: (run) => formatMinutes(run.duration),
    align: 'end',
  },
]
