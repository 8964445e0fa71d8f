import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Facts } from '@trainyard/lab-users/web/Facts.tsx'
import { LabStatus } from '@trainyard/lab-users/web/LabStatus.tsx'
import { Term } from '@trainyard/lab-users/web/Term.tsx'
import { AccountFallback } from '@trainyard/lab-users/web/AccountFallback.tsx'
import styles from './AwsSandbox.module.css'
import { SignIn } from './SignIn.tsx'

const MOVING_MS = 2_000
const REFRESH_MS = 60_000

export default function AwsSandbox() {
  const now = useNow()
  const sandbox = useQuery({
    ...query(api.awsSandbox.read),
    refetchInterval: ({ state }) => (state.data?.status === 'Creating' ? MOVING_MS : REFRESH_MS),
  })
  const { data, error } = sandbox
  if (!data) {
    return (
      <Screen>
        <AccountFallback error={error} retry={() => void sandbox.refetch()} rows={4} height="2.25rem" />
      </Screen>
    )
  }
  return (
    <Screen>
      <div className={styles.sheets}>
        <section className={`panel ${styles.sheet}`} aria-labelledby="lab-user">
          <div className="ends">
            <h2 id="lab-user">Your AWS user</h2>
            <LabStatus status={data.status} />
          </div>
          {data.statusReason && <p className={styles.reason}>{data.statusReason}</p>}
          <Facts>
            <Fact term="Email">
              <Address>{data.email}</Address>
            </Fact>
            <Fact term="User ID">
              <span className="mono">{data.userId}</span>
            </Fact>
          </Facts>
          <Term start={data.startDate} end={data.endDate} now={now} />
          <p className="dim">
            At the end date you lose access to AWS, and your AWS user is deleted. Save what you want to keep before
            then.
          </p>
        </section>
        <section className={`panel ${styles.sheet}`} aria-labelledby="sign-in">
          <h2 id="sign-in">Sign in to AWS</h2>
          {data.consoleUrl === null ? (
            <p className="dim">
              Your AWS user is being created. This page shows how to sign in as soon as it is ready.
            </p>
          ) : (
            <SignIn consoleUrl={data.consoleUrl} />
          )}
        </section>
      </div>
    </Screen>
  )
}
