import { Link } from '@tanstack/react-router'
import { use } from 'react'
import { Screen, ShownScreenContext } from '../ui/Screen.tsx'
import { useMe } from '../session/me.ts'
import { Button } from '@mantine/core'

export function NotFound() {
  return (
    <Screen title="Page Not Found">
      <p>There is no page at this address.</p>
      <p>
        <Link to="/">Go to Home</Link>
      </p>
    </Screen>
  )
}

export function PermissionError() {
  const { role } = useMe()
  const shown = use(ShownScreenContext)
  return (
    <Screen title="Permission Error">
      <p>
        {shown?.screen.title ?? 'This page'} is not available to the access level <strong>{role}</strong>.
        {role !== 'superadmin' &&
          ` Ask ${role === 'admin' ? 'the operator of the portal' : 'your organisation’s administrator'} if you need it.`}
      </p>
      <p>
        <Link to="/">Go to Home</Link>
      </p>
    </Screen>
  )
}

/** Page for a screen whose code could not be loaded or threw. After an update, a reload fetches the new code. */
export function LoadFailed() {
  return (
    <Screen title="This Page Did Not Load">
      <p role="alert">Something went wrong while showing this page. Load it again.</p>
      <p>
        <Button onClick={() => location.reload()}>Load again</Button>
      </p>
    </Screen>
  )
}
