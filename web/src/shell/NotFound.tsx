import { Link } from '@tanstack/react-router'
import { Screen } from '#src/ui/Screen.tsx'

/** An address that leads nowhere. */
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
