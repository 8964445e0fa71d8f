import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import type { AwsUserRow } from '../../../db/tables/lab-users.gen.ts'
import { labUserView } from '../lab-user-view.ts'

export const awsUserView = (user: AwsUserRow): ReplyOf<typeof awsUser.list>['users'][number] => ({
  ...labUserView(user, user.ready_at !== null),
  userId: user.username,
})
