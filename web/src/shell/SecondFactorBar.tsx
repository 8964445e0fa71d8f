import { Link } from '@tanstack/react-router'
import { choiceOf } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { formatInstant } from '#src/ui/time.ts'
import styles from './ConnectionBar.module.css'

/** Tells by which day a second factor is to be set up; after it, that nothing else is open until then. */
export function SecondFactorBar() {
  const { secondFactorDue: due, timeZone } = useMe()
  if (due === null) return null
  const day = formatInstant(due.at, timeZone).split(', ')[1]!
  return (
    <output className={`${styles.bar} no-print`}>
      {due.over
        ? 'Your access level needs a second factor, and nothing else is open to you until you set one up in '
        : `Your access level needs a second factor by ${day}. Set one up in `}
      <Link to="/account" search={choiceOf}>
        Account Security
      </Link>
      .
    </output>
  )
}
