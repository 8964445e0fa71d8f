import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { awsUser } from '@trainyard/lab-users/contract/sandbox.ts'
import { LabUsers } from '@trainyard/lab-users/web/LabUsers.tsx'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { LabUserSource } from '@trainyard/lab-users/web/lab-users.ts'

type AwsUser = ReplyOf<typeof awsUser.list>['users'][number]

const awsUsers: LabUserSource<AwsUser> = {
  list: api.awsUser.list,
  create: (user, options) => api.awsUser.create({ ...user }, options),
  renew: ({ email, duration = 0 }, options) => api.awsUser.renew({ email, duration }, options),
  ended: api.awsUser.ended,
  hasCredits: false,
  remove: (email) => api.awsUser.remove({ email }),
}

const consequences = ({ email, userId }: AwsUser) => (
  <p>
    <strong>{email}</strong> is signed out of the portal immediately. The AWS user{' '}
    <span className="mono">{userId}</span> is blocked and then deleted, with everything attached to it.
  </p>
)

export default function AwsUsers() {
  return <LabUsers source={awsUsers} consequences={consequences} />
}
