import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { awsUser } from '@trainyard/lab-users/contract/sandbox.ts'
import type { AwsUserRow } from '@trainyard/lab-users/tables.gen.ts'
import { labUserView } from '@trainyard/lab-users/server/lab-user-view.ts'

export const awsUserView = (user: AwsUserRow): ReplyOf<typeof awsUser.list>['users'][number] => ({
  ...labUserView(user, user.ready_at !== null),
  userId: user.username,
})
