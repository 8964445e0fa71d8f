import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api.ts'
import { useMe } from '#src/me.ts'
import { useTrainings } from '#src/trainings.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import styles from './Home.module.css'
import { MachineLine } from './MachineLine.tsx'

const REFRESH_MS = 15_000

/** A learner's machines now, training by training, each a step away from its console. */
export function LearnerHome() {
  const { organization } = useMe()
  const trainings = useTrainings(organization)
  const names = trainings.data ?? []
  const machines = useQueries({
    queries: names.map((trainingName) => ({
      queryKey: ['home', 'machines', trainingName],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.machine.list({ trainingName }, { signal }),
      refetchInterval: REFRESH_MS,
    })),
  })
  if (trainings.isError) return <p role="alert">{trainings.error.message}</p>
  if (trainings.isPending) return <Skeleton rows={5} height="2.5rem" />
  if (names.length === 0) return <EmptyState text={EMPTY.machines} />
  return names.map((training, place) => {
    const reply = machines[place]!
    return (
      <section key={training} aria-label={training}>
        <div className={styles.head}>
          <h2>{training}</h2>
          <Link to="/vm/vmdetails" search={{ training }}>
            Open the console<span className="unseen"> of {training}</span>
          </Link>
        </div>
        {reply.isPending && <Skeleton rows={2} height="2.5rem" />}
        {reply.isError && <p role="alert">{reply.error.message}</p>}
        {reply.data && (
          <ul className={styles.lines}>
            {reply.data
              .filter((machine) => machine.isAlive)
              .map((machine) => (
                <MachineLine key={machine._id} machine={machine} />
              ))}
          </ul>
        )}
        {reply.data?.every((machine) => !machine.isAlive) && <p className="dim">{EMPTY.machines}</p>}
      </section>
    )
  })
}
