import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { LabStatus } from '@trainyard/lab-users/web/LabStatus.tsx'
import { Term } from '@trainyard/lab-users/web/Term.tsx'
import { AccountFallback } from '@trainyard/lab-users/web/AccountFallback.tsx'
import styles from './Home.module.css'

const REFRESH_MS = 15_000

export function AwsHome() {
  const now = useNow()
  const sandbox = useQuery({ ...query(api.awsSandbox.read), refetchInterval: REFRESH_MS })
  const { data, error } = sandbox
  if (!data) return <AccountFallback error={error} retry={() => void sandbox.refetch()} rows={3} height="4rem" />
  return (
    <div className={styles.halves}>
      <section className="panel stack" aria-labelledby="lab-user">
        <div className={`ends ${styles.head}`}>
          <h2 id="lab-user">Your AWS user</h2>
          <Link to="/sandbox/aws">Open AWS Sandbox</Link>
        </div>
        <span className="ends">
          <strong>
            <Address>{data.email}</Address>
          </strong>
          <LabStatus status={data.status} />
        </span>
        <Term start={data.startDate} end={data.endDate} now={now} />
      </section>
    </div>
  )
}
