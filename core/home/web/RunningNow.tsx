import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Dashboard.module.css'

const Days = lazy(() => import('./Days.tsx'))

const REFRESH_MS = 30_000

type Usage = ReplyOf<typeof home.usage>
type Training = Usage['trainings'][number]

/** The trainings with running machines, and on the Control Center the last 30 days. */
export function RunningNow({ withDays = false }: { withDays?: boolean }) {
  const usage = useQuery({ ...query(api.home.usage), refetchInterval: REFRESH_MS })
  const columns = useMemo(() => COLUMNS, [])
  return (
    <section id="running" className={styles.section} aria-labelledby="running-heading">
      <h2 id="running-heading">Running Now</h2>
      <Fetched query={usage} loading={<Skeleton rows={2} height="6rem" />}>
        {({ running, paisePerHour, runningTrainings, trainings, days }) => (
          <>
            <p>
              <strong>{running === 1 ? '1 machine runs' : `${running} machines run`}</strong>, for{' '}
              <strong>
                <Rupees paise={paisePerHour} />
              </strong>{' '}
              an hour.
            </p>
            <DataTable
              label="Running trainings"
              rows={trainings}
              rowId={({ organization, training }) => JSON.stringify([organization, training])}
              columns={columns}
              empty="No machines are running."
              maxHeight="22rem"
            />
            {runningTrainings > trainings.length && (
              <p className="dim">and {runningTrainings - trainings.length} more trainings</p>
            )}
            {withDays && (
              <Suspense fallback={<Skeleton rows={1} height="17rem" />}>
                <Days days={days} />
              </Suspense>
            )}
          </>
        )}
      </Fetched>
    </section>
  )
}

const COLUMNS: readonly Column<Training>[] = [
  {
    id: 'training',
    header: 'Training',
    value: ({ training }) => training,
    cell: ({ organization, training }) => (
      <Link to="/vm/vmdetails" search={{ organization, training }}>
        {training}
      </Link>
    ),
    narrow: '34%',
  },
  { id: 'organization', header: 'Organisation', value: ({ organization }) => organization, narrow: '26%' },
  { id: 'running', header: 'Running', align: 'end', value: ({ running }) => running, narrow: '18%' },
  {
    id: 'cost',
    header: 'Cost per hour',
    align: 'end',
    value: ({ paisePerHour }) => paisePerHour / 100,
    cell: ({ paisePerHour }) => <Rupees paise={paisePerHour} />,
    narrow: '22%',
  },
]
