import { Link } from '@tanstack/react-router'
import { choiceOf } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { formatInstant } from '#src/ui/time.ts'
import styles from './ConnectionBar.module.css'

export function SecondFactorBar() {
  const { secondFactorDue: due, timeZone } = useMe()
  if (due === null) return null
  const day = formatInstant(due.at, timeZone).split(', ')[1]!
  return (
    <output className={`${styles.bar} no-print`}>
      {due.over
        ? 'Your access level requires a second factor. Everything else is locked until you set one up in '
        : `Your access level requires a second factor by ${day}. Set one up in `}
      <Link to="/account" search={choiceOf}>
        Account Security
      </Link>
      .
    </output>
  )
}
