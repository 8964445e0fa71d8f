import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { useTrainings } from '#src/trainings.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import styles from './Home.module.css'
import { TrainingLine } from './TrainingLine.tsx'

/** Each line asks for its own figures: the rest are a step away in the sidebar. */
const LINES = 30

interface TrainingsProps {
  organization: string
  /** Named in the calls where a superadmin looks on. */
  asSuperadmin?: boolean
}

/** An organisation's trainings: machines on and off, hours, cost so far. */
export function Trainings({ organization, asSuperadmin = false }: TrainingsProps) {
  const trainings = useTrainings(organization)
  if (trainings.isError) return <p role="alert">{trainings.error.message}</p>
  if (trainings.isPending) return <Skeleton rows={5} height="2.5rem" />
  if (trainings.data.length === 0) return <EmptyState text={EMPTY.trainings} />
  return (
    <section aria-labelledby="trainings" className={styles.trainings}>
      <h2 id="trainings">Trainings of {organization}</h2>
      <table className={styles.board}>
        <thead>
          <tr>
            <th scope="col">Training</th>
            <th scope="col" className="number">
              Running
            </th>
            <th scope="col" className="number">
              Stopped
            </th>
            <th scope="col" className="number">
              Hours
            </th>
            <th scope="col" className="number">
              Cost so far
            </th>
          </tr>
        </thead>
        <tbody>
          {trainings.data.slice(0, LINES).map((training) => (
            <TrainingLine key={training} training={training} {...(asSuperadmin ? { organization } : {})} />
          ))}
        </tbody>
      </table>
      {trainings.data.length > LINES && (
        <p className="dim">{trainings.data.length - LINES} more: choose one in the sidebar.</p>
      )}
    </section>
  )
}
