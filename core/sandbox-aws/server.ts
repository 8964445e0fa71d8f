import { serverModule, reconciles } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { INVARIANTS } from './server/aws/invariants.ts'
import { reclaimAwsAccounts } from './server/aws/lease.ts'
import { removeOrphans } from './server/aws/orphans.ts'
import { awsSandboxHandlers } from './server/aws/sandbox-http.ts'
import { awsUserKind } from './server/aws/step.ts'
import { awsUserHandlers } from './server/aws/user-http.ts'
import { endExpiredAwsUsers } from './server/aws/wake.ts'
import { anyExpired } from '@trainyard/lab-users/server/end-lab-users.ts'
import { MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import type { AwsUsers } from './server/aws-users.ts'
import type { AwsConnection } from './server/clients.ts'
import { awsOf } from './server/connection.ts'
import { instrumentedOrNull } from '@trainyard/platform/server/run/telemetry/instrumented.ts'

declare module '@trainyard/platform/server/core/module.ts' {
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
declare module '@trainyard/platform/server/run/parts.ts' {
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
    sealed: [{ table: 'aws_user', column: 'first_password', key: 'id' }],
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
