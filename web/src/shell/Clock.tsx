import { useEffect, useState } from 'react'
import styles from './Clock.module.css'

/** The time of day in the organisation's zone: what schedules and access windows go by. */
export function Clock({ timeZone }: { timeZone: string }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const untilNextMinute = 60_000 - (Date.now() % 60_000)
    const timer = setTimeout(() => setNow(new Date()), untilNextMinute)
    return () => clearTimeout(timer)
  }, [now])
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
  return (
    <time className={styles.clock} dateTime={now.toISOString()} title={timeZone}>
      {time}
      <span className={styles.zone}>{timeZone.split('/').at(-1)?.replaceAll('_', ' ')}</span>
    </time>
  )
}
