import { Link } from '@tanstack/react-router'
import { Screen, useRow } from '#src/ui/Screen.tsx'
import { useMe } from '#src/session/me.ts'
import { Button } from '@mantine/core'

/** The page at an address that no screen has. */
export function NotFound() {
  return (
    <Screen title="Page Not Found">
      <p>There is nothing at this address.</p>
      <p>
        <Link to="/">Go to Home</Link>
      </p>
    </Screen>
  )
}

/** The page in place of a screen that the role may not open. */
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

/** The page in place of a screen whose code did not arrive or threw: after an update a reload brings the new one. */
export function LoadFailed() {
  return (
    <Screen title="This Page Did Not Load">
      <p role="alert">Something went wrong while showing this page. Loading it again usually helps.</p>
      <p>
        <Button onClick={() => location.reload()}>Load again</Button>
      </p>
    </Screen>
  )
}
