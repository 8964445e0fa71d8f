import { partsOf, placeOf, type Daily } from './daily.ts'
import styles from './DayRuler.module.css'

const HOURS = [0, 6, 12, 18, 24]

/** The window on the day's line, and where the day stands: a picture of what the words beside it say. */
export function DayRuler({ window, time }: { window: Daily; time: string }) {
  return (
    <div className={styles.ruler} aria-hidden="true">
      <div className={styles.line}>
        {partsOf(window).map(({ from, to }) => (
          <span
            key={from}
            className={styles.open}
            style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
          />
        ))}
        <span className={styles.now} style={{ insetInlineStart: `${placeOf(time) * 100}%` }} />
      </div>
      <div className={styles.hours}>
        {HOURS.map((hour) => (
          <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
            {String(hour).padStart(2, '0')}:00
          </span>
        ))}
      </div>
    </div>
  )
}
