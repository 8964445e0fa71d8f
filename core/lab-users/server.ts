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
    invariants: INVARIANTS,
  },
})
