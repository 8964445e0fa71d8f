import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { Screen } from '#src/ui/Screen.tsx'
import { useNow } from '#src/ui/useNow.ts'
import { Fact, Facts } from '#src/lab-user/Facts.tsx'
import { LabStatus } from '#src/lab-user/LabStatus.tsx'
import { Term } from '#src/lab-user/Term.tsx'
import { WithoutAccount } from '#src/lab-user/WithoutAccount.tsx'
import styles from './AwsSandbox.module.css'
import { SignIn } from './SignIn.tsx'

const MOVING_MS = 2_000
const REFRESH_MS = 60_000

/** AWS Sandbox: the person's user at AWS, its end, and the sign-in. */
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
        <WithoutAccount error={error} retry={() => void sandbox.refetch()} rows={4} height="2.25rem" />
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
            <Fact term="Email">{data.email}</Fact>
            <Fact term="User ID">
              <span className="mono">{data.userId}</span>
            </Fact>
          </Facts>
          <Term start={data.startDate} end={data.endDate} now={now} />
          <p className="dim">
            At its end you lose access to AWS, and your user there is deleted. Take along what you want to keep before
            that.
          </p>
        </section>
        <section className={`panel ${styles.sheet}`} aria-labelledby="sign-in">
          <h2 id="sign-in">Sign in to AWS</h2>
          {data.consoleUrl === null ? (
            <p className="dim">
              Your user is being made at AWS. This page shows how to sign in as soon as it is there.
            </p>
          ) : (
            <SignIn consoleUrl={data.consoleUrl} />
          )}
        </section>
      </div>
    </Screen>
  )
}
