import { openParts, fractionOfDay, type Daily, type Moment } from './daily-window.ts'
import { HourAxis } from './HourAxis.tsx'
import styles from './DayRuler.module.css'

export function DayRuler({ window, now }: { window: Daily; now: Moment }) {
  return (
    <div className={styles.ruler} aria-hidden="true">
      <div className={styles.line}>
        {openParts(window, now.weekday).map(({ from, to }) => (
          <span
            key={from}
            className={styles.open}
            style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
          />
        ))}
        <span className={styles.now} style={{ insetInlineStart: `${fractionOfDay(now.time) * 100}%` }} />
      </div>
      <HourAxis suffix=":00" />
    </div>
  )
}
