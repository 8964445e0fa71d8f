import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { isClosed, TrainingFetchFailed } from '@trainyard/trainings/web/TrainingFetchFailed.tsx'
import { type Access, useAccess } from '@trainyard/trainings/web/useAccessWindow.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { learnerTools } from '@trainyard/trainings/web/slots.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { type Command, useCommands } from '@trainyard/machines/web/commands.ts'
import styles from './Home.module.css'
import { MachineLine } from './MachineLine.tsx'
import { MachinePanel } from './MachinePanel.tsx'
import { Times } from './Times.tsx'

const REFRESH_MS = 15_000
const MOVING_MS = 2_000

/** Machines are polled, because one event stream per training would exhaust the browser's connections. */
export const machinesOf = (training: TrainingQuery, access: Access) => ({
  ...query(api.machine.list, training),
  enabled: access === true,
  select: (list: Machine[]) => list.filter(({ isAlive }) => isAlive),
  refetchInterval: ({ state }: { state: { data?: Machine[] | undefined } }) =>
    state.data?.some(isMoving) ? MOVING_MS : REFRESH_MS,
})

interface MyMachinesProps {
  training: string
  large: boolean
  isInstructor: boolean
}

export function MyMachines({ training, large, isInstructor }: MyMachinesProps) {
  const trainingQuery = { trainingName: training }
  const heading = useId()
  const access = useAccess(trainingQuery)
  const machines = useQuery(machinesOf(trainingQuery, access))
  const { command } = useCommands(trainingQuery)
  return (
    <section aria-labelledby={heading}>
      <div className={`ends ${styles.head}`}>
        <h2 id={heading}>{training}</h2>
        <span className="row">
          <Fills of={learnerTools} props={{ target: trainingQuery }} />
          {isInstructor && (
            <Link to="/vm/class" search={{ training }}>
              Open the class<span className="visually-hidden"> of {training}</span>
            </Link>
          )}
          {(!isInstructor || (machines.data !== undefined && machines.data.length > 0)) && (
            <Link to="/vm/vmdetails" search={{ training }}>
              Open the console<span className="visually-hidden"> of {training}</span>
            </Link>
          )}
        </span>
      </div>
      {access === false || isClosed(machines.error) ? (
        <TrainingFetchFailed
          training={trainingQuery}
          access={access}
          error={machines.error}
          retry={() => void machines.refetch()}
        />
      ) : (
        <Fetched query={machines} loading={<Skeleton rows={2} height="2.5rem" />}>
          {(data) =>
            data.length === 0 ? (
              <p className={`dim ${styles.none}`}>
                {isInstructor ? 'You are an instructor of this training.' : 'No live instances of yours.'}
              </p>
            ) : (
              <>
                <ul className={styles.lines} aria-label={`Instances of ${training}`}>
                  {data.map((machine) => {
                    const own = { machine, act: (wanted: Command) => command({ command: wanted, machines: [machine] }) }
                    return large ? (
                      <MachinePanel
                        key={machine._id}
                        {...own}
                        training={trainingQuery}
                        asOf={new Date(machines.dataUpdatedAt)}
                      />
                    ) : (
                      <MachineLine key={machine._id} {...own} />
                    )
                  })}
                </ul>
                {!large && (
                  <Times training={trainingQuery} isPlanned={data.every(({ status }) => status === 'Planned')} />
                )}
              </>
            )
          }
        </Fetched>
      )}
    </section>
  )
}

const isMoving = ({ status }: Machine) =>
  status === 'Creating' || status === 'Starting' || status === 'Restarting' || status === 'Stopping'
