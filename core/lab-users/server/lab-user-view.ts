import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { awsUser } from '../contract/sandbox.ts'
import type { AwsUserRow, AzureUserRow } from '../tables.gen.ts'

type View = ReplyOf<typeof awsUser.list>['users'][number]
type LabUser = Pick<AzureUserRow & AwsUserRow, keyof AzureUserRow & keyof AwsUserRow>

/** @param made true once the user exists at the provider */
export const labUserView = (user: LabUser, made: boolean): Omit<View, 'userId'> => ({
  _id: user.id,
  email: user.email,
  duration: user.days,
  startDate: user.start_at.toISOString(),
  endDate: user.end_at.toISOString(),
  ...labUserStatus(user, made),
})

export function labUserStatus({ desired, last_error }: LabUser, made: boolean): Pick<View, 'status' | 'statusReason'> {
  if (desired === 'gone') return { status: 'Ending', statusReason: last_error }
  if (last_error !== null) return { status: 'Failing', statusReason: last_error }
  return { status: made ? 'Ready' : 'Creating', statusReason: null }
}
