import { useQuery } from '@tanstack/react-query'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { api, ApiError } from '#src/api.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useNow } from '#src/ui/useNow.ts'
import { LabStatus } from '../lab-users/LabStatus.tsx'
import { Term } from '../lab-users/Term.tsx'
import styles from './AwsSandbox.module.css'
import { SignIn } from './SignIn.tsx'

const MOVING_MS = 2_000
const REFRESH_MS = 60_000

/** AWS Sandbox: who one is at AWS, until when, and the way in. */
export default function AwsSandbox() {
  const now = useNow()
  const sandbox = useQuery({
    queryKey: ['aws sandbox'],
    queryFn: ({ signal }) => api.awsSandbox.read(undefined, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'Creating' ? MOVING_MS : REFRESH_MS),
  })
  const { data, error } = sandbox
  if (!data) {
    return (
      <Screen>
        {error === null ? (
          <Skeleton rows={4} height="2.25rem" />
        ) : error instanceof ApiError && error.status === 404 ? (
          <EmptyState text={EMPTY.sandboxes} />
        ) : (
          <FetchFailed text={error.message} retry={() => void sandbox.refetch()} />
        )}
      </Screen>
    )
  }
  return (
    <Screen>
      <div className={styles.sheets}>
        <section className={`panel ${styles.sheet}`} aria-labelledby="lab-user">
          <div className={styles.head}>
            <h2 id="lab-user">Your AWS user</h2>
            <LabStatus status={data.status} />
          </div>
          {data.statusReason && <p className={styles.reason}>{data.statusReason}</p>}
          <dl className={styles.facts}>
            <div>
              <dt>Email</dt>
              <dd>{data.email}</dd>
            </div>
            <div>
              <dt>User ID</dt>
              <dd className="mono">{data.userId}</dd>
            </div>
          </dl>
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
