import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { meter } from '../contract/meter.ts'
import { RUN_CAUSES } from '../contract/run.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { paiseColumn, Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatInstant, formatSeconds } from '@trainyard/platform/web/ui/time.ts'
import styles from './Billing.module.css'
import { formatExact } from '@trainyard/platform/web/ui/hours.ts'

type Run = ReplyOf<typeof meter.runs>['runs'][number]
type Transition = Run['opened']

export function Runs({ machine, close }: { machine: string; close: () => void }) {
  const { timeZone } = useMe()
  const audit = useQuery(query(api.meter.runs, { vmName: machine }))
  const columns = useMemo(() => columnsIn(timeZone), [timeZone])
  return (
    <Dialog title={`Runs of ${machine}`} wide close={close}>
      <Fetched query={audit} loading={<Skeleton rows={4} height="2rem" />}>
        {(data) => (
          <>
            <p>
              {countOf(data.runs.length, 'run')} up to <Instant at={data.asOf} />. Only their sum is rounded, to the
              paisa:{' '}
              <strong>
                <Rupees paise={data.amountPaise} />
              </strong>
            </p>
            <DataTable
              label={`Runs of ${machine}`}
              rows={data.runs}
              rowId={({ start }) => start}
              columns={columns}
              stacks
              empty="This instance has not run yet."
              csv={`Runs ${machine}`}
              sortedBy={{ id: 'start', desc: true }}
              maxHeight="55dvh"
            />
          </>
        )}
      </Fetched>
    </Dialog>
  )
}

function End({ at, by }: { at: string; by: Transition }) {
  return (
    <span className={styles.end}>
      <Instant at={at} />
      <span className="dim">
        {RUN_CAUSES[by.cause]}
        {by.reportedAt !== at && (
          <>
            , reported by the provider as <Instant at={by.reportedAt} />
          </>
        )}
      </span>
    </span>
  )
}

const columnsIn = (timeZone: string): readonly Column<Run>[] => [
  {
    id: 'start',
    header: 'Start Time',
    value: ({ start, opened }) => `${formatInstant(start, timeZone)} (${RUN_CAUSES[opened.cause]})`,
    sortBy: ({ start }) => start,
    cell: ({ start, opened }) => <End at={start} by={opened} />,
  },
  {
    id: 'stop',
    header: 'End Time',
    value: ({ stop, closed }) =>
      stop === null || closed === null ? 'Running' : `${formatInstant(stop, timeZone)} (${RUN_CAUSES[closed.cause]})`,
    sortBy: ({ stop }) => stop,
    cell: ({ stop, closed }) =>
      stop === null || closed === null ? <Lamp signal="clear">Running</Lamp> : <End at={stop} by={closed} />,
  },
  {
    id: 'seconds',
    header: 'Run time',
    align: 'end',
    value: ({ seconds }) => formatSeconds(seconds),
    sortBy: ({ seconds }) => seconds,
  },
  paiseColumn('paisePerHour', 'Rate per hour'),
  {
    id: 'cost',
    header: 'Cost, not rounded',
    align: 'end',
    value: ({ paiseSeconds }) => paiseSeconds / 360_000,
    sortBy: ({ paiseSeconds }) => paiseSeconds,
    cell: ({ paiseSeconds }) => formatExact(paiseSeconds),
  },
]
