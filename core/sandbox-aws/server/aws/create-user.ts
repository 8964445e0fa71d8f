import { awsUserInvite } from '@trainyard/lab-users/server/jobs.ts'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { awsUser } from '@trainyard/lab-users/contract/sandbox.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { addInvitation } from '@trainyard/users/server/invite-users.ts'
import { addLabUser, type LabUserDependencies, stillBeingEnded } from '@trainyard/lab-users/server/add-lab-user.ts'
import { leaseAwsAccount } from './lease.ts'

export interface AwsLabDependencies extends LabUserDependencies {
  /** AWS accounts, of which each user leases one. If empty, all users share one account. */
  readonly pool: readonly string[]
}

const UNSET = 'Set AWS_LAB_ACCESS_KEY_ID, AWS_LAB_SECRET_ACCESS_KEY and AWS_LAB_DOMAIN first. AWS lab users need them.'

/** @throws Problem conflict if the name is taken or no account is free */
export async function createAwsUser(
  tx: Tx,
  request: BodyOf<typeof awsUser.create>,
  parts: AwsLabDependencies,
): Promise<void> {
  const { jobs, pool } = parts
  const user = await addLabUser(tx, request, { ...parts, role: 'awssandboxuser', missingDomain: UNSET })
  const created = await tx
    .insertInto('aws_user')
    .values({
      ...user,
      username: request.username.toLowerCase(),
      // The end is in whole seconds, the precision of AWS.
      end_at: sql<Date>`date_trunc('second', portal_now() + make_interval(days => ${request.duration}))`,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (created === undefined) throw stillBeingEnded(user.email)
  if (pool.length > 0) await leaseAwsAccount(tx, pool, user.id)
  const invitation = await addInvitation(tx, user.account_id)
  await jobs.enqueue(tx, awsUserInvite, [{ user: user.id, invitation }])
  await notifyWorkers(tx, 'aws_user')
}
