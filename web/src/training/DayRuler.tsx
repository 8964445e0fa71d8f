import { partsOf, placeOf, type Daily, type Moment } from './daily.ts'
import { DayHours } from './DayHours.tsx'
import styles from './DayRuler.module.css'

/** The window and the present time on the line of a day: a picture of the text beside it. */
export function DayRuler({ window, now }: { window: Daily; now: Moment }) {
  return (
    <div className={styles.ruler} aria-hidden="true">
      <div className={styles.line}>
        {partsOf(window, now.weekday).map(({ from, to }) => (
          <span
            key={from}
            className={styles.open}
            style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
          />
        ))}
        <span className={styles.now} style={{ insetInlineStart: `${placeOf(now.time) * 100}%` }} />
      </div>
      <DayHours suffix=":00" />
    </div>
  )
}
