import { useEffect, useEffectEvent } from 'react'
import type { OfTraining } from '#src/navigation/selection.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './AccessClosed.module.css'
import { isIn, momentIn, untilNext, type Daily } from './daily.ts'
import { DayRuler } from './DayRuler.tsx'
import { useAccessWindow } from './useAccessWindow.ts'

interface AccessClosedProps {
  of: OfTraining
  /** The server's sentence: the times when it is open. */
  sentence: string
  /** Fetches the screen's own data again: called once the window opens. */
  retry: () => void
}

/**
 * In place of a screen outside the training's access window: tells when it opens, and then fetches the screen's data.
 */
export function AccessClosed({ of, sentence, retry }: AccessClosedProps) {
  const { data } = useAccessWindow(of)
  return (
    <section className={`panel ${styles.closed}`} aria-labelledby="closed">
      <h2 id="closed">Closed just now</h2>
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
  const open = isIn(daily, now)
  const ask = useEffectEvent(retry)
  useEffect(() => {
    if (open) ask()
  }, [open, now.time])
  return (
    <>
      <DayRuler window={daily} now={now} />
      <p className="dim">
        {open ? 'It opens now.' : `It opens in ${untilNext(daily, now)}, and this page with it.`} Times are of the zone{' '}
        {timeZone}. What you saved on your machines stays there.
      </p>
    </>
  )
}
