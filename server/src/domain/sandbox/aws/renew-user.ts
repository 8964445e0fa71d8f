import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import type { Tx } from '../../../db/schema.ts'
import { extended, findRenewable, madeAnew, putEndOff } from '../renew.ts'
import { type AwsLabParts, createAwsUser } from './create-user.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import { AWS_USER_DUE } from './wake.ts'

/**
 * Gives a lab user more days, which a worker tells AWS: the end stands in the user's policy there. One who has ended is
 * made anew. Answers the sentence to show.
 */
export async function renewAwsUser(
  tx: Tx,
  { email, duration }: BodyOf<typeof awsUser.renew>,
  parts: AwsLabParts,
): Promise<string> {
  const found = await findRenewable(tx, 'aws_user', email)
  if (found.state === 'ended') {
    const { username, personal_email: personalEmail } = found.user
    await createAwsUser(tx, { username, personalEmail, duration }, parts)
    return madeAnew(email, 'AWS')
  }
  const end = await putEndOff(tx, 'aws_user', found.id, duration)
  await sql`update aws_user set generation = generation + 1, reconcile_at = portal_now() where id = ${found.id}`.execute(
    tx,
  )
  await notifyWorkers(tx, AWS_USER_DUE)
  return extended(email, end)
}
