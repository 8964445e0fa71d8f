import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { isClosed } from '#src/ui/access/Unfetched.tsx'
import { HandButton } from '#src/ui/class/HandButton.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useCommands } from '../console/commands.ts'
import styles from './Home.module.css'
import { MachineLine } from './MachineLine.tsx'

const REFRESH_MS = 15_000
/** The interval, in ms, while a machine changes its state. */
const MOVING_MS = 2_000

/** A learner's own machines in a training. They are polled: a stream for each training would use up the browser's. */
export function MyMachines({ training }: { training: string }) {
  const of = { trainingName: training }
  const heading = useId()
  const machines = useQuery({
    ...query(api.machine.list, of),
    select: (list) => list.filter(({ isAlive }) => isAlive),
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? MOVING_MS : REFRESH_MS),
  })
  const act = useCommands(of)
  return (
    <section aria-labelledby={heading}>
      <div className={`ends ${styles.head}`}>
        <h2 id={heading}>{training}</h2>
        <span className="row">
          <HandButton of={of} />
          <Link to="/vm/vmdetails" search={{ training }}>
            Open the console<span className="visually-hidden"> of {training}</span>
          </Link>
        </span>
      </div>
      {isClosed(machines.error) ? (
        <p className={`dim ${styles.none}`}>{machines.error!.message}</p>
      ) : (
        <Fetched query={machines} loading={<Skeleton rows={2} height="2.5rem" />}>
          {(data) =>
            data.length === 0 ? (
              <p className={`dim ${styles.none}`}>No live instances of yours.</p>
            ) : (
              <ul className={styles.lines} aria-label={`Instances of ${training}`}>
                {data.map((machine) => (
                  <MachineLine
                    key={machine._id}
                    machine={machine}
                    act={(command) => act({ command, machines: [machine] })}
                  />
                ))}
              </ul>
            )
          }
        </Fetched>
      )}
    </section>
  )
}

const isMoving = ({ status }: Machine) =>
  status === 'Creating' || status === 'Starting' || status === 'Restarting' || status === 'Stopping'
