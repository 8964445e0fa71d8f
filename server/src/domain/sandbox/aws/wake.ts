import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { endLabUsers, endWhoseTimeIsUp } from '../end-lab-users.ts'

/** Workers listen here for AWS lab users that are due. */
export const AWS_USER_DUE = 'aws_user_due'

/** Ends lab users: their account here goes at once; the reconciler blocks them at AWS, deletes them, and looks again. */
export async function endAwsUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  await endLabUsers(tx, 'aws_user', ids)
  await notifyWorkers(tx, AWS_USER_DUE)
}

/** Ends lab users whose days are over, and those whose account here was deleted. */
export async function endAwsUsersWhoseTimeIsUp(db: Db): Promise<void> {
  await endWhoseTimeIsUp(db, 'aws_user', endAwsUsers)
}
