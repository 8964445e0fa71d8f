import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import { api } from '#src/api/client.ts'
import type { LabUserSource } from '../lab-users/lab-users.ts'

/** AWS lab users, for the cards and for adding many at once. */
export const awsUsers: LabUserSource<ReplyOf<typeof awsUser.list>['users'][number]> = {
  list: api.awsUser.list,
  create: (user, options) => api.awsUser.create({ ...user }, options),
  remove: (email) => api.awsUser.remove({ email }),
}
