import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Figures } from './Figures.tsx'
import styles from './Home.module.css'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { homeCards } from './slots.ts'
import { TrainingLine } from './TrainingLine.tsx'

const REFRESH_MS = 30_000

interface TrainingsProps {
  organization: string
  /** Links must name the organisation for a superadmin. */
  asSuperadmin?: boolean
}

export function Trainings({ organization, asSuperadmin = false }: TrainingsProps) {
  const board = useQuery({ ...query(api.home.trainings, { organization }), refetchInterval: REFRESH_MS })
  if (!board.data) return <Fetched query={board} loading={<Skeleton rows={5} height="3rem" />} />
  const { trainings, balancePaise, timeZone } = board.data
  const whose = asSuperadmin ? { organization } : {}
  return (
    <>
      <Fills of={homeCards} props={{ organization, whose, trainings }} />
      <Figures trainings={trainings} balancePaise={balancePaise} whose={whose} />
      <section aria-labelledby="trainings">
        <div className={`ends ${styles.head}`}>
          <h2 id="trainings">{asSuperadmin ? `Trainings of ${organization}` : 'Trainings'}</h2>
          <ScreenLink to="/createvm" search={whose}>
            Provision New Instance
          </ScreenLink>
        </div>
        {trainings.length === 0 ? (
          <EmptyState text="No trainings." />
        ) : (
          <ul className={styles.lines} aria-labelledby="trainings">
            {trainings.map((training) => (
              <TrainingLine key={training.training} now={training} whose={whose} timeZone={timeZone} />
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
