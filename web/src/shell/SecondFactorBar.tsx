import { Link } from '@tanstack/react-router'
import { choiceOf } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { formatInstant } from '#src/ui/time.ts'
import { useNow } from '#src/ui/useNow.ts'
import styles from './ConnectionBar.module.css'

/** Tells by which day a second factor is to be set up; after it, that nothing else is open until then. */
export function SecondFactorBar() {
  const { secondFactorDue: due, timeZone } = useMe()
  const now = useNow()
  if (due === null) return null
  const day = formatInstant(due, timeZone).split(', ')[1]!
  return (
    <output className={`${styles.bar} no-print`}>
      {new Date(due) > new Date(now)
        ? `Your access level needs a second factor by ${day}. Set one up in `
        : 'Your access level needs a second factor, and nothing else is open to you until you set one up in '}
      <Link to="/account" search={choiceOf}>
        Account Security
      </Link>
      .
    </output>
  )
}
