import { useState } from 'react'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { formatCountdown, isOpen, momentIn, untilNext } from '@trainyard/trainings/web/daily-window.ts'
import { useAccessWindow } from '@trainyard/trainings/web/useAccessWindow.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { formatDay, timeOfDay, today } from '@trainyard/platform/web/ui/time.ts'
import { useSeconds } from '@trainyard/platform/web/ui/useSeconds.ts'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { type NextStop, nextStopOf } from './next-stop.ts'
import { plannedStops } from './slots.ts'
import styles from './Times.module.css'

interface TimesProps {
  training: TrainingQuery
  /** Machine whose next stop is shown; without it, the training's next scheduled stop. */
  machine?: Machine
  /** The machines are created later: learners can't use them yet. */
  isPlanned: boolean
  asOf?: Date
}

export function Times({ training, machine, isPlanned, asOf }: TimesProps) {
  const window = useAccessWindow(training)
  const [planned, setPlanned] = useState<readonly NextStop[]>([])
  const now = useSeconds(true)
  if (!window.data) return null
  const { loginStart, loginStop, loginDays, timeZone, extendedUntil } = window.data
  const stop = nextStopOf(machine ?? null, planned, asOf ?? now)
  return (
    <>
      <Fills of={plannedStops} props={{ training, vmName: machine?.name ?? null, found: setPlanned }} />
      <dl className={styles.times}>
        {loginStart !== null && loginStop !== null ? (
          <Fact term="Access window">
            <Window
              daily={{ start: loginStart, stop: loginStop, days: loginDays }}
              extendedUntil={extendedUntil}
              timeZone={timeZone}
              now={now}
            />
          </Fact>
        ) : (
          !isPlanned && <Fact term="Access window">Open at all times</Fact>
        )}
        <Fact term="Next stop">
          {stop === null ? (
            'None planned'
          ) : (
            <>
              <strong>in {formatCountdown(stop.at, now)}</strong>, at {timeOfDay(stop.at, timeZone)}
              {today(stop.at, timeZone) !== today(now, timeZone) && ` on ${formatDay(today(stop.at, timeZone))}`}:{' '}
              {stop.why}
            </>
          )}
        </Fact>
      </dl>
    </>
  )
}

interface WindowProps {
  daily: Parameters<typeof isOpen>[0]
  extendedUntil: string | null
  timeZone: string
  now: Date
}

function Window({ daily, extendedUntil, timeZone, now }: WindowProps) {
  const until = extendedUntil === null ? null : new Date(extendedUntil)
  const moment = momentIn(now, timeZone)
  return (
    <>
      {until !== null && until > now ? (
        <>
          <strong>closes in {formatCountdown(until, now)}</strong>, today later than usual: at{' '}
          {timeOfDay(until, timeZone)}
        </>
      ) : (
        <>
          <strong>
            {isOpen(daily, moment) ? 'closes' : 'opens'} in {untilNext(daily, moment)}
          </strong>
          , {daily.start} to {daily.stop}
        </>
      )}
    </>
  )
}
