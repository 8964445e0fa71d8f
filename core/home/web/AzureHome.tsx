import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Credits } from '@trainyard/lab-users/web/Credits.tsx'
import { SandboxStatus } from '@trainyard/lab-users/web/SandboxStatus.tsx'
import { AccountFallback } from '@trainyard/lab-users/web/AccountFallback.tsx'
import styles from './Home.module.css'

const REFRESH_MS = 15_000

export function AzureHome() {
  const account = useQuery({ ...query(api.azureSandbox.read), refetchInterval: REFRESH_MS })
  const { data, error } = account
  if (!data) return <AccountFallback error={error} retry={() => void account.refetch()} rows={3} height="4rem" />
  return (
    <div className={styles.halves}>
      <Credits credits={data.credits} />
      <section className="panel stack" aria-labelledby="sandboxes">
        <div className={`ends ${styles.head}`}>
          <h2 id="sandboxes">Your Sandboxes</h2>
          <Link to="/sandbox/azure">Open Azure Sandbox</Link>
        </div>
        {data.sandbox.length === 0 ? (
          <EmptyState text={EMPTY.sandboxes}>
            <Link to="/sandbox/azure">Create Sandbox</Link>
          </EmptyState>
        ) : (
          <ul className={styles.rows}>
            {data.sandbox.map(({ _id, resourceGroupName, status, deleteTime }) => (
              <li key={_id}>
                <span className="ends">
                  <strong className="mono">{resourceGroupName}</strong>
                  <SandboxStatus status={status} />
                </span>
                <span className="dim">
                  Will be deleted <Instant at={deleteTime} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
