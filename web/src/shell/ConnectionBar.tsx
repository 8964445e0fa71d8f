import { useMe } from '#src/session/me.ts'
import { timeOfDay } from '#src/ui/time.ts'
import styles from './ConnectionBar.module.css'

/** Says that the connection is lost, since when, and what that means for what is seen. */
export function ConnectionBar({ since }: { since: number }) {
  const { timeZone } = useMe()
  return (
    <output className={`${styles.bar} no-print`}>
      No connection to the portal since {timeOfDay(new Date(since), timeZone)}. What you see may be out of date. It is
      being tried again.
    </output>
  )
}
