import { Link } from '@tanstack/react-router'
import { ALERTS, EMPTY } from '@trainyard/contract/words/problems.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { isIn, untilNext, type Daily } from '#src/ui/access/daily.ts'
import { DayRuler } from '#src/ui/access/DayRuler.tsx'
import { useAccessWindow } from '#src/ui/access/useAccessWindow.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { timeOfDay } from '#src/ui/time.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './Restriction.module.css'

const REFRESH_MS = 30_000

/** User Permissions: the times of the day between which learners may use a training's machines. */
export default function Restriction() {
  const { ofTraining } = useSelection()
  const window = useAccessWindow(ofTraining, REFRESH_MS)
  return (
    <Screen>
      {ofTraining === null ? (
        <SelectTraining text={ALERTS.pickTrainingFirst} />
      ) : (
        <Fetched
          query={window}
          failed={ALERTS.restrictionFailed}
          loading={<output>{ALERTS.restrictionLoading}</output>}
        >
          {(data) =>
            data.loginStart !== null && data.loginStop !== null ? (
              <Window
                training={ofTraining.trainingName}
                daily={{ start: data.loginStart, stop: data.loginStop }}
                timeZone={data.timeZone}
              />
            ) : (
              <EmptyState text={EMPTY.restrictions}>
                <ToScheduler>Restrict access with a scheduled task</ToScheduler>
              </EmptyState>
            )
          }
        </Fetched>
      )}
    </Screen>
  )
}

interface WindowProps {
  training: string
  daily: Daily
  timeZone: string
}

function Window({ training, daily, timeZone }: WindowProps) {
  const time = timeOfDay(useNow(), timeZone)
  const open = isIn(daily, time)
  return (
    <section className={`panel ${styles.panel}`} aria-label={`Login window of ${training}`}>
      <dl className={styles.times}>
        <div>
          <dt className="over">Login Start</dt>
          <dd className="figure">{daily.start}</dd>
        </div>
        <div>
          <dt className="over">Login Stop</dt>
          <dd className="figure">{daily.stop}</dd>
        </div>
      </dl>
      <DayRuler window={daily} time={time} />
      <p>
        <strong>{open ? 'Open to learners now' : 'Closed to learners now'}</strong>
        {`: ${open ? 'closes' : 'opens'} in ${untilNext(daily, time)}. `}
        <span className="dim">
          Every day, in the zone {timeZone}, where it is {time}. Admins are not bound by it.
        </span>
      </p>
      <p className="no-print">
        <ToScheduler>Change it with a scheduled task</ToScheduler>
      </p>
    </section>
  )
}

const ToScheduler = ({ children }: { children: string }) => (
  <Link to="/vm/scheduler" search={(now: object) => now}>
    {children}
  </Link>
)
