import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import { addInvitation } from '../../people/user/invite.ts'
import { addLabUser, type LabUserParts, stillBeingEnded } from '../lab-account.ts'
import { leaseAccount } from './lease.ts'
import { AWS_USER_DUE } from './wake.ts'

export interface AwsLabParts extends LabUserParts {
  /** Accounts to lease, one for each user; none: all share one. */
  readonly pool: readonly string[]
}

const UNSET =
  'Set AWS_LAB_ACCESS_KEY_ID, AWS_LAB_SECRET_ACCESS_KEY and AWS_LAB_DOMAIN first: then there are AWS lab users.'

/**
 * Writes a lab user down as wanted: an account here (role awssandboxuser), an invitation to it by mail to the personal
 * address, and what AWS will be asked for.
 * @throws Problem conflict: the name is taken, or no account is free
 */
export async function createAwsUser(tx: Tx, asked: BodyOf<typeof awsUser.create>, parts: AwsLabParts): Promise<void> {
  const { jobs, pool } = parts
  const user = await addLabUser(tx, asked, { ...parts, role: 'awssandboxuser', toBeSet: UNSET })
  const made = await tx
    .insertInto('aws_user')
    .values({
      ...user,
      username: asked.username.toLowerCase(),
      // Whole seconds, as AWS has them.
      end_at: sql<Date>`date_trunc('second', portal_now() + make_interval(days => ${asked.duration}))`,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) throw stillBeingEnded(user.email)
  if (pool.length > 0) await leaseAccount(tx, pool, user.id)
  const invitation = await addInvitation(tx, user.account_id)
  await jobs.put(tx, 'awsUser.invite', [{ user: user.id, invitation }])
  await notifyWorkers(tx, AWS_USER_DUE)
}
