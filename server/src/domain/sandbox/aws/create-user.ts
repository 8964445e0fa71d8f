import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { makePassword } from '../../order/credentials.ts'
import { addInvitation } from '../../user/invite.ts'
import { addLabAccount, type LabUserParts, signInName, stillBeingEnded } from '../lab-account.ts'
import { leaseAccount } from './lease.ts'
import { notifyWorkers } from './wake.ts'

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
  const { seal, jobs, labDomain, pool } = parts
  const email = signInName(asked.username, labDomain, UNSET)
  const account = await addLabAccount(tx, email, 'awssandboxuser')
  const id = randomUUID() as SandboxUserId
  const made = await tx
    .insertInto('aws_user')
    .values({
      id,
      username: asked.username.toLowerCase(),
      email,
      personal_email: asked.personalEmail,
      account_id: account,
      days: asked.duration,
      // Whole seconds, as AWS has them.
      end_at: sql<Date>`date_trunc('second', portal_now() + make_interval(days => ${asked.duration}))`,
      first_password: seal.seal(makePassword(), id),
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) throw stillBeingEnded(email)
  if (pool.length > 0) await leaseAccount(tx, pool, id)
  const invitation = await addInvitation(tx, account)
  await jobs.put(tx, 'awsUser.invite', [{ user: id, invitation }])
  await notifyWorkers(tx)
}
