import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import { BulkAdd } from '../lab-users/bulk/BulkAdd.tsx'
import { LabUsers } from '../lab-users/LabUsers.tsx'
import { awsUsers } from './source.ts'

type AwsUser = ReplyOf<typeof awsUser.list>['users'][number]

const consequences = ({ email, userId }: AwsUser) => (
  <p>
    <strong>{email}</strong> is signed out here at once. At AWS the user <span className="mono">{userId}</span> is
    blocked first, then deleted with everything that hangs on it.
  </p>
)

/** AWS Lab Users: cards, add, many at once, and delete. */
export default function AwsUsers() {
  return <LabUsers source={awsUsers} consequences={consequences} actions={<BulkAdd source={awsUsers} />} />
}
