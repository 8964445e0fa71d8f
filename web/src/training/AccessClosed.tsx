import { useEffect, useEffectEvent } from 'react'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './AccessClosed.module.css'
import { isOpen, momentIn, untilNext, type Daily } from './daily-window.ts'
import { DayRuler } from './DayRuler.tsx'
import { useAccessWindow } from './useAccessWindow.ts'

interface AccessClosedProps {
  training: TrainingQuery
  sentence: string
  retry: () => void
}

/** Refetches the screen's data when the access window opens. */
export function AccessClosed({ training, sentence, retry }: AccessClosedProps) {
  const { data } = useAccessWindow(training)
  return (
    <section className={`panel ${styles.closed}`} aria-labelledby="closed">
      <h2 id="closed">Closed</h2>
      <p role="alert">{sentence}</p>
      {data && data.loginStart !== null && data.loginStop !== null && (
        <Opening
          daily={{ start: data.loginStart, stop: data.loginStop, days: data.loginDays }}
          timeZone={data.timeZone}
          retry={retry}
        />
      )}
    </section>
  )
}

function Opening({ daily, timeZone, retry }: { daily: Daily; timeZone: string; retry: () => void }) {
  const now = momentIn(useNow(), timeZone)
  const open = isOpen(daily, now)
  const poll = useEffectEvent(retry)
  useEffect(() => {
    if (open) poll()
  }, [open, now.time])
  return (
    <>
      <DayRuler window={daily} now={now} />
      <p className="dim">
        {open ? 'Opening now.' : `Opens in ${untilNext(daily, now)}; this page opens then.`} Times are in the zone{' '}
        {timeZone}. Your files on the machines are kept.
      </p>
    </>
  )
}
