import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { AccountFallback } from '@trainyard/lab-users/web/AccountFallback.tsx'
import type { Sandbox } from '@trainyard/lab-users/web/azure-account.ts'
import styles from './AzureSandbox.module.css'
import { CreateSandbox } from './CreateSandbox.tsx'
import { Credits } from '@trainyard/lab-users/web/Credits.tsx'
import { Guide } from './Guide.tsx'
import { Sandboxes } from './Sandboxes.tsx'
import { SignIn } from './SignIn.tsx'

/** Poll intervals in ms: while a sandbox is being created or deleted, and otherwise. */
const MOVING_MS = 2_000
const REFRESH_MS = 30_000

const isMoving = ({ status }: Sandbox) => status === 'Creating' || status === 'Deleting'

export default function AzureSandbox() {
  const account = useQuery({
    ...query(api.azureSandbox.read),
    refetchInterval: ({ state }) => (state.data?.sandbox.some(isMoving) ? MOVING_MS : REFRESH_MS),
  })
  const { data, error } = account
  if (!data) {
    return (
      <Screen>
        <AccountFallback error={error} retry={() => void account.refetch()} rows={4} height="5rem" />
      </Screen>
    )
  }
  return (
    <Screen
      actions={
        <ScreenLink to="/sandbox/azure" hash="guide">
          How to use a sandbox
        </ScreenLink>
      }
    >
      <div className={styles.sheets}>
        <Credits credits={data.credits} />
        <CreateSandbox account={data} />
        <SignIn email={data.email} portalUrl={data.portalUrl} />
      </div>
      <Sandboxes account={data} />
      <Guide />
    </Screen>
  )
}
