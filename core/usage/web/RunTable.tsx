import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { meter } from '../contract/meter.ts'
import { ALERTS, EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Missing } from '@trainyard/platform/web/ui/Missing.tsx'
import { formatMinutes } from '@trainyard/platform/web/ui/hours.ts'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { DayStrip } from './DayStrip.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatInstant } from '@trainyard/platform/web/ui/time.ts'

type Run = ReplyOf<typeof meter.logs>['logs'][number]

/** Poll interval in ms: the duration of a run in progress grows. */
export const REFRESH_MS = 30_000

export function RunTable({ machine, choose }: { machine: string; choose: (machine: string) => void }) {
  const { timeZone } = useMe()
  const runs = useQuery({
    ...query(api.meter.logs, { vmName: machine }),
    select: (reply) => reply.logs,
    refetchInterval: REFRESH_MS,
  })
  const columns = useMemo(() => runColumns(timeZone), [timeZone])
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

export const runColumns = (timeZone: string): readonly Column<Run>[] => [
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
