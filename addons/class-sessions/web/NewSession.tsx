import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { choiceOf } from '@trainyard/platform/web/navigation/useSelection.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'

const withForm = (search: Choice) => ({ ...choiceOf(search), open: 'session' })

/** Opens the form for a session in the calendar. */
export default function NewSession() {
  return (
    <Button variant="default" renderRoot={(props) => <Link {...props} to="/vm/calendar" search={withForm} />}>
      New session
    </Button>
  )
}
