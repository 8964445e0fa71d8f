import { takeBackAccounts } from '../domain/sandbox/aws/lease.ts'
import { awsUserRows, type AwsStepParts, stepAwsUser } from '../domain/sandbox/aws/step.ts'
import { removeOrphans } from '../domain/sandbox/aws/orphans.ts'
import { AWS_USER_DUE, endAwsUsersWhoseTimeIsUp } from '../domain/sandbox/aws/wake.ts'
import { type LeasedLoopOptions, type Running, startLeasedLoop } from './leased-loop.ts'

/** IAM asks for a pause sooner than other services: users that are worked on at once. */
const CONCURRENCY = 6

/** Makes AWS agree with the rows of lab users, ends those whose time is up, and takes cleaned accounts back. */
export function startAwsLabs(options: AwsStepParts & LeasedLoopOptions): Running {
  const { db, aws, onFault } = options
  const stopping = new AbortController()
  let looking: Promise<void> | null = null
  const loop = startLeasedLoop(
    {
      channel: AWS_USER_DUE,
      rows: awsUserRows,
      step: (user, signal) => stepAwsUser(options, user, signal),
      async tick() {
        await endAwsUsersWhoseTimeIsUp(db)
        // Beside the loop: users must not wait for these.
        looking ??= Promise.all([takeBackAccounts(db, aws, stopping.signal), removeOrphans(db, aws, stopping.signal)])
          .then(() => {}, onFault)
          .finally(() => (looking = null))
      },
    },
    { ...options, concurrency: Math.min(options.concurrency, CONCURRENCY) },
  )
  return {
    async stop() {
      stopping.abort()
      await Promise.all([loop.stop(), looking])
    },
  }
}
