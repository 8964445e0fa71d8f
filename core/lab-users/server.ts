import { QUEUE_COLUMNS } from '@trainyard/platform/server/core/tables.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { answer } from '@trainyard/platform/server/core/events.ts'
import { separateMailbox } from '@trainyard/users/server/user-mail.ts'
import { mailboxOf } from './server/lab-users.ts'
import { INVARIANTS } from './server/invariants.ts'
import { azureUserInvite, inviteAzureUser, awsUserInvite, inviteAwsUser } from './server/jobs.ts'

export default serverModule({
  name: 'lab-users',
  jobs: [runs(azureUserInvite, inviteAzureUser), runs(awsUserInvite, inviteAwsUser)],
  answers: [answer(separateMailbox, mailboxOf)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    protected: {
      insertOnly: { sandbox_charge: ['id'] },
      changeable: {
        sandbox: [
          ...QUEUE_COLUMNS,
          'desired',
          'create_sent_at',
          'ours',
          'access',
          'ready_at',
          'metered_at',
          'blocked_at',
          'absent_at',
          'ended_at',
          'not_priced',
          'seen_at',
          'paise_per_hour',
        ],
      },
    },
    invariants: INVARIANTS,
  },
})
