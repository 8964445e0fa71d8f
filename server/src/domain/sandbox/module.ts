import { serverModule, runs } from '../../core/module.ts'
import { INVARIANTS } from './invariants.ts'
import { azureUserInvite, inviteAzureUser, awsUserInvite, inviteAwsUser } from './jobs.ts'

export default serverModule({
  name: 'lab-users',
  jobs: [runs(azureUserInvite, inviteAzureUser), runs(awsUserInvite, inviteAwsUser)],
  tables: {
    invariants: INVARIANTS,
  },
})
