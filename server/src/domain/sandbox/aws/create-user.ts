import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { awsUser } from '@trainyard/contract/calls/sandbox.ts'
import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict, Problem } from '../../../http/problem.ts'
import type { Jobs } from '../../../jobs.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { makePassword } from '../../order/credentials.ts'
import { addInvitation } from '../../user/invite.ts'
import { leaseAccount } from './lease.ts'
import { nudge } from './wake.ts'

export interface AwsLabParts {
  readonly seal: Seal
  readonly jobs: Jobs
  /** What follows a lab user's name in what they sign in with here; null: there is no AWS, or it was not set. */
  readonly labDomain: string | null
  /** Accounts to lease, one for each user; none: all share one. */
  readonly pool: readonly string[]
}

/**
 * Writes a lab user down as wanted: an account here (role awssandboxuser), an invitation to it by mail to the personal
 * address, and what AWS will be asked for.
 * @throws Problem conflict: the name is taken, or no account is free
 */
export async function createAwsUser(tx: Tx, asked: BodyOf<typeof awsUser.create>, parts: AwsLabParts): Promise<void> {
  const { seal, jobs, labDomain, pool } = parts
  const email = emailOf(asked.username, labDomain)
  const account = await tx
    .insertInto('portal_user')
    .values({ email, role: 'awssandboxuser', organisation_id: null, password_hash: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (account === undefined) throw conflict(`There is already a user ${email}.`)
  const id = randomUUID() as SandboxUserId
  const made = await tx
    .insertInto('aws_user')
    .values({
      id,
      username: asked.username.toLowerCase(),
      email,
      personal_email: asked.personalEmail,
      account_id: account.id,
      days: asked.duration,
      // Whole seconds, as AWS has them.
      end_at: sql<Date>`date_trunc('second', portal_now() + make_interval(days => ${asked.duration}))`,
      first_password: seal.seal(makePassword(), id),
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) throw conflict(`The user ${email} is still being ended. Please try again in a few minutes.`)
  if (pool.length > 0) await leaseAccount(tx, pool, id)
  const invitation = await addInvitation(tx, account.id)
  await jobs.put(tx, 'awsUser.invite', [{ user: id, invitation }])
  await nudge(tx)
}

function emailOf(username: string, labDomain: string | null): string {
  if (labDomain === null) {
    throw conflict(
      'Set AWS_LAB_ACCESS_KEY_ID, AWS_LAB_SECRET_ACCESS_KEY and AWS_LAB_DOMAIN first: then there are AWS lab users.',
    )
  }
  const email = normaliseEmail(`${username}@${labDomain}`)
  if (!isEmail(email)) throw new Problem('broken', `username must make an e-mail address of ${email}.`)
  return email
}
