import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { endLabUsers, endWhoseTimeIsUp } from '../end-lab-users.ts'

/** Workers listen here for AWS lab users that are due. */
export const AWS_USER_DUE = 'aws_user_due'

/** Tells the workers, once this transaction is committed, that there is something to do. */
export async function notifyWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${AWS_USER_DUE}, '')`.execute(tx)
}

/** Ends lab users: their account here goes at once; the reconciler blocks them at AWS, deletes them, and looks again. */
export async function endAwsUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  await endLabUsers(tx, 'aws_user', ids)
  await notifyWorkers(tx)
}

/** Ends lab users whose days are over, and those whose account here was deleted. */
export async function endAwsUsersWhoseTimeIsUp(db: Db): Promise<void> {
  await endWhoseTimeIsUp(db, 'aws_user', endAwsUsers)
}
