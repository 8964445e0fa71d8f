import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import { LabUsers } from '#src/lab-user/LabUsers.tsx'
import { api } from '#src/api/client.ts'
import type { LabUserSource } from '#src/lab-user/lab-users.ts'

type AwsUser = ReplyOf<typeof awsUser.list>['users'][number]

/** AWS lab users, for the cards and for adding many at once. */
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
    <strong>{email}</strong> is signed out here at once. At AWS the user <span className="mono">{userId}</span> is
    blocked first, then deleted with everything that hangs on it.
  </p>
)

/** AWS Lab Users: cards, add, many at once, and delete. */
export default function AwsUsers() {
  return <LabUsers source={awsUsers} consequences={consequences} />
}
