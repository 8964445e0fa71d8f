import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { awsUser } from '@trainyard/lab-users/contract/sandbox.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { extendedMessage, findRenewable, recreatedMessage, extendEnd } from '@trainyard/lab-users/server/renew.ts'
import { type AwsLabDependencies, createAwsUser } from './create-user.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'

/** Renews a user. The reconciler updates the end in the user's policy at AWS. An ended user is created again. */
export async function renewAwsUser(
  tx: Tx,
  { email, duration }: BodyOf<typeof awsUser.renew>,
  parts: AwsLabDependencies,
): Promise<string> {
  const found = await findRenewable(tx, 'aws_user', email)
  if (found.state === 'ended') {
    const { username, personal_email: personalEmail } = found.user
    await createAwsUser(tx, { username, personalEmail, duration }, parts)
    return recreatedMessage(email, 'AWS')
  }
  const end = await extendEnd(tx, 'aws_user', found.id, duration)
  await setDesiredState(tx, 'aws_user', { rows: [found.id] })
  return extendedMessage(email, end)
}
