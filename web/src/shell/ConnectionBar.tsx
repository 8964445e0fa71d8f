import { useMe } from '#src/session/me.ts'
import { timeOfDay } from '#src/ui/time.ts'
import styles from './ConnectionBar.module.css'

export function ConnectionBar({ since }: { since: number }) {
  const { timeZone } = useMe()
  return (
    <output className={`${styles.bar} no-print`}>
      No connection to the portal since {timeOfDay(new Date(since), timeZone)}. What you see may be out of date.
      Reconnecting...
    </output>
  )
}
