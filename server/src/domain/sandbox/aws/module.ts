import { serverModule, reconciles } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { INVARIANTS } from './invariants.ts'
import { reclaimAwsAccounts } from './lease.ts'
import { removeOrphans } from './orphans.ts'
import { awsSandboxHandlers } from './sandbox-http.ts'
import { awsUserKind } from './step.ts'
import { awsUserHandlers } from './user-http.ts'
import { endExpiredAwsUsers } from './wake.ts'
import { anyExpired } from '../end-lab-users.ts'
import { MINUTE } from '../../../reconcile/task.ts'
import type { AwsUsers } from '../../../providers/aws-users.ts'
import type { AwsConnection } from '../../../providers/aws/clients.ts'
import { awsOf } from '../../../providers/aws/connection.ts'
import { instrumentedOrNull } from '../../../telemetry/instrumented.ts'

declare module '../../../core/module.ts' {
  interface CallDependencies {
    readonly aws: {
      readonly labDomain: string | null
      readonly pool: readonly string[]
      readonly consoleUrl: (account: string) => string
    }
  }
  interface Overrides {
    readonly aws?: Partial<AwsConnection>
  }
}
declare module '../../../worker/parts.ts' {
  interface WorkerDependencies {
    readonly aws: AwsUsers | null
  }
}

export default serverModule({
  name: 'sandbox-aws',
  connectCalls: ({ config: { aws } }) => ({
    aws: { ...aws, consoleUrl: (account) => aws.consoleUrl.replace('{account}', account) },
  }),
  connectWorker: async ({ config, secrets, meters, overrides }) => ({
    aws: instrumentedOrNull('aws', await awsOf(config, secrets, overrides.aws), meters),
  }),
  calls: ({ seal, jobs, aws: { consoleUrl, labDomain, pool } }) => ({
    awsSandbox: awsSandboxHandlers({ seal, consoleUrl }),
    awsUser: awsUserHandlers({ seal, jobs, labDomain, pool }),
  }),
  tasks: ({ db, aws }) =>
    aws
      ? [
          {
            name: 'end expired AWS users',
            every: MINUTE,
            on: 'each',
            wokenBy: 'aws_user',
            isDue: anyExpired('aws_user'),
            run: () => endExpiredAwsUsers(db),
          },
          { name: 'reclaim AWS accounts', every: 10, on: 'one', run: (signal) => reclaimAwsAccounts(db, aws, signal) },
          {
            name: 'delete AWS orphans',
            every: 10 * MINUTE,
            on: 'one',
            run: (signal) => removeOrphans(db, aws, signal),
          },
        ]
      : [],
  kinds: [reconciles('aws_user', ({ aws, ...parts }) => aws && awsUserKind({ ...parts, aws }))],
  tables: {
    personal: {
      aws_account: withoutOwner('id quarantined'),
      aws_user: {
        owner: { address: 'personal_email' },
        title: 'Lab users at AWS',
        erase: 'keep',
        mentions: 'email personal_email last_error',
        details: 'username',
        secrets: 'first_password',
        other: 'aws_account desired',
      },
    },
    invariants: INVARIANTS,
  },
})
