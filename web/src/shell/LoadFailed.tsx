import { Button } from '@mantine/core'
import { Screen } from '#src/ui/Screen.tsx'

/** A screen whose code did not arrive, or that broke: after an update a reload brings the new one. */
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
