import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { Bar } from '@trainyard/platform/web/ui/Bar.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { hoursAllotted, hoursUsed } from '@trainyard/platform/web/ui/hours.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { type Column, DataTable } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { Credit } from './Credit.tsx'
import { NeedsYou } from './NeedsYou.tsx'
import { homeCards } from './slots.ts'
import { nextInWords, type Training } from './board.ts'
import styles from './Trainings.module.css'

const REFRESH_MS = 30_000

/** A list of so many trainings is read without a search. */
const FEW = 2

interface TrainingsProps {
  organization: string
  /** Links must name the organisation for a superadmin. */
  asSuperadmin?: boolean
}

export function Trainings({ organization, asSuperadmin = false }: TrainingsProps) {
  const board = useQuery({ ...query(api.home.trainings, { organization }), refetchInterval: REFRESH_MS })
  const whose = useMemo(() => (asSuperadmin ? { organization } : {}), [asSuperadmin, organization])
  const columns = useMemo(() => columnsOf(whose, board.data?.timeZone), [whose, board.data?.timeZone])
  if (!board.data) return <Fetched query={board} loading={<Skeleton rows={5} height="3rem" />} />
  const { trainings, balancePaise } = board.data
  return (
    <div className={styles.board}>
      <div className={styles.column}>
        <NeedsYou trainings={trainings} whose={whose} />
        <section className={styles.trainings} aria-labelledby="trainings">
          <div className="ends">
            <h2 id="trainings">{asSuperadmin ? `Trainings of ${organization}` : 'Trainings'}</h2>
            <Counts trainings={trainings} />
          </div>
          <DataTable
            label="Trainings"
            rows={trainings}
            rowId={({ training }) => training}
            columns={columns}
            empty="No trainings."
            unmatched="No training contains this text."
            search={trainings.length > FEW}
            sortedBy={{ id: 'training' }}
            stacks
          />
        </section>
      </div>
      <div className={styles.column}>
        <Fills of={homeCards} props={{ organization, whose, trainings }} />
        <Credit balancePaise={balancePaise} whose={whose} />
      </div>
    </div>
  )
}

function Counts({ trainings }: { trainings: readonly Training[] }) {
  const running = trainings.reduce((sum, each) => sum + each.running, 0)
  const live = trainings.reduce((sum, each) => sum + each.running + each.stopped, 0)
  const failing = trainings.reduce((sum, each) => sum + each.failing, 0)
  return (
    <span className="dim">
      {running} of {live} machines running, {failing === 0 ? 'none' : failing} failing
    </span>
  )
}

const columnsOf = (whose: Choice, timeZone: string | undefined): readonly Column<Training>[] => [
  {
    id: 'training',
    header: 'Training',
    value: ({ training }) => training,
    cell: ({ training }) => (
      <ScreenLink to="/vm/vmdetails" search={{ ...whose, training }} className={styles.name}>
        {training}
      </ScreenLink>
    ),
  },
  { id: 'now', header: 'Now', width: '10.5rem', value: ({ running }) => running, cell: (now) => <Now now={now} /> },
  {
    id: 'hours',
    header: 'Hours used',
    width: '10rem',
    value: ({ consumed }) => consumed,
    cell: ({ training, consumed, total }) =>
      total === null ? (
        `${hoursUsed(consumed)}, no limit`
      ) : (
        <Bar
          label={`Hours used in ${training}`}
          value={consumed}
          total={total}
          text={`${hoursUsed(consumed)} of ${hoursAllotted(total)}`}
        />
      ),
  },
  {
    id: 'next',
    header: 'Next',
    width: '10.5rem',
    value: ({ next }) => (next === null ? null : nextInWords(next)),
    sortBy: ({ next }) => (next === null ? null : `${next.date} ${next.time}`),
    cell: ({ training, next }) => (
      <ScreenLink to="/vm/scheduler" search={{ ...whose, training }}>
        {next === null ? 'Nothing scheduled' : <time title={timeZone}>{nextInWords(next)}</time>}
      </ScreenLink>
    ),
  },
  {
    id: 'cost',
    header: 'Cost so far',
    align: 'end',
    width: '7.5rem',
    value: ({ amountPaise }) => amountPaise / 100,
    cell: ({ training, amountPaise }) => (
      <ScreenLink to="/vm/billing" search={{ ...whose, training }}>
        <Rupees paise={amountPaise} />
        <span className="visually-hidden"> so far: Usage and Billing Summary of {training}</span>
      </ScreenLink>
    ),
  },
]

const Now = ({ now: { running, stopped, planned } }: { now: Training }) => (
  <span className={styles.now} data-some={running > 0 || undefined}>
    {running + stopped === 0 ? 'No machines' : `${running} running`}
    {planned > 0 && `, ${planned} planned`}
    {stopped > planned && `, ${stopped - planned} stopped`}
  </span>
)
