import { serverModule, runs } from '../../core/module.ts'
import { answer } from '../../core/events.ts'
import { separateMailbox } from '../people/user/user-mail.ts'
import { mailboxOf } from './lab-users.ts'
import { INVARIANTS } from './invariants.ts'
import { azureUserInvite, inviteAzureUser, awsUserInvite, inviteAwsUser } from './jobs.ts'

export default serverModule({
  name: 'lab-users',
  jobs: [runs(azureUserInvite, inviteAzureUser), runs(awsUserInvite, inviteAwsUser)],
  answers: [answer(separateMailbox, mailboxOf)],
  tables: {
    sql: new URL('../../db/tables/lab-users.sql', import.meta.url),
    invariants: INVARIANTS,
  },
})
