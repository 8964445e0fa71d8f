import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import type { AwsUserRow } from '../../../db/schema/aws-lab.ts'

type View = ReplyOf<typeof awsUser.list>['users'][number]

export function awsUserView(user: AwsUserRow): View {
  return {
    _id: user.id,
    email: user.email,
    userId: user.username,
    duration: user.days,
    startDate: user.start_at.toISOString(),
    endDate: user.end_at.toISOString(),
    ...awsUserStatus(user),
  }
}

/** What a person reads of a lab user's state, and why. */
export function awsUserStatus({ desired, trouble, ready_at }: AwsUserRow): Pick<View, 'status' | 'statusReason'> {
  if (desired === 'gone') return { status: 'Ending', statusReason: trouble }
  if (trouble !== null) return { status: 'Failing', statusReason: trouble }
  return { status: ready_at === null ? 'Creating' : 'Ready', statusReason: null }
}
