import { timeOfDay } from '#src/ui/time.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './Clock.module.css'

/** The time of day in the organisation's zone: what schedules and access windows go by. */
export function Clock({ timeZone }: { timeZone: string }) {
  const now = useNow()
  return (
    <time className={styles.clock} dateTime={now.toISOString()} title={timeZone}>
      {timeOfDay(now, timeZone)}
      <span className={styles.zone}>{timeZone.split('/').at(-1)?.replaceAll('_', ' ')}</span>
    </time>
  )
}
