import { Link } from '@tanstack/react-router'
import { useMe } from '#src/session/me.ts'
import { Screen, useRow } from '#src/ui/Screen.tsx'

/** What somebody sees at a screen that their role does not open. */
export function PermissionError() {
  const { role } = useMe()
  const row = useRow()
  return (
    <Screen title="Permission Error">
      <p>
        {row?.title ?? 'This page'} is not open to the access level <strong>{role}</strong>. Ask whoever looks after
        your organisation’s account if you need it.
      </p>
      <p>
        <Link to="/">Go to Home</Link>
      </p>
    </Screen>
  )
}
