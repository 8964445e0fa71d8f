import { Link } from '@tanstack/react-router'
import { ALERTS, EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { WEEKDAY_NAMES, formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { isOpen, momentIn, untilNext, type Daily } from './daily-window.ts'
import { DayRuler } from './DayRuler.tsx'
import { useAccessWindow } from './useAccessWindow.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { SelectTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { timeOfDay } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { Figure } from '@trainyard/platform/web/ui/Fact.tsx'
import styles from './Restriction.module.css'
import { WindowForm } from './WindowForm.tsx'

export default function Restriction() {
  const { trainingQuery } = useSelection()
  const window = useAccessWindow(trainingQuery)
  return (
    <Screen>
      {trainingQuery === null ? (
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
                key={JSON.stringify(trainingQuery)}
                training={trainingQuery}
                daily={{ start: data.loginStart, stop: data.loginStop, days: data.loginDays }}
                timeZone={data.timeZone}
                extendedUntil={data.extendedUntil}
              />
            ) : (
              <EmptyState text={EMPTY.restrictions}>
                <Link to="/vm/scheduler" search={(now: object) => now}>
                  Restrict access with a scheduled task
                </Link>
              </EmptyState>
            )
          }
        </Fetched>
      )}
    </Screen>
  )
}

interface WindowProps {
  training: TrainingQuery
  daily: Daily
  timeZone: string
  extendedUntil: string | null
}

function Window({ training, daily, timeZone, extendedUntil }: WindowProps) {
  const instant = useNow()
  const now = momentIn(instant, timeZone)
  const isExtended = extendedUntil !== null && new Date(extendedUntil) > instant
  const isOpenNow = isExtended || isOpen(daily, now)
  const next = isExtended
    ? `extended until ${timeOfDay(new Date(extendedUntil), timeZone)}`
    : `${isOpenNow ? 'closes' : 'opens'} in ${untilNext(daily, now)}`
  return (
    <section className={`panel ${styles.panel}`} aria-label={`Login window of ${training.trainingName}`}>
      <dl className={styles.times}>
        <Figure term="Login Start">{daily.start}</Figure>
        <Figure term="Login Stop">{daily.stop}</Figure>
      </dl>
      <DayRuler window={daily} now={now} />
      <p>
        <strong>{isOpenNow ? 'Open to learners now' : 'Closed to learners now'}</strong>
        {`: ${next}. `}
        <span className="dim">
          {sentenceOf(daily)}, in the zone {timeZone} (now {WEEKDAY_NAMES[now.weekday - 1]}, {now.time}). Admins have
          access at all times.
        </span>
      </p>
      <WindowForm training={training} daily={daily} />
    </section>
  )
}

const sentenceOf = ({ days }: Daily) => (days === null ? 'Every day' : `On ${formatWeekdays(days)}`)
