import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { sandboxUser } from '@trainyard/contract/calls/sandbox.ts'
import { api } from '#src/api/client.ts'
import type { LabUserSource } from '../lab-users/lab-users.ts'

export type AzureUser = ReplyOf<typeof sandboxUser.list>['users'][number]

/** Azure lab users, for the cards and for adding many at once. */
export const azureUsers: LabUserSource<AzureUser> = {
  list: api.sandboxUser.list,
  create: (user, options) => api.sandboxUser.create({ ...user }, options),
  remove: (email) => api.sandboxUser.remove({ email }),
}
