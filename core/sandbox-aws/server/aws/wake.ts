import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { endLabUsers, endExpired } from '@trainyard/lab-users/server/end-lab-users.ts'

/** Ends users. The account in the portal is deleted immediately; the reconciler blocks and deletes the users at AWS. */
export async function endAwsUsers(tx: Tx, ids: readonly SandboxUserId[]): Promise<void> {
  await endLabUsers(tx, 'aws_user', ids)
}

export async function endExpiredAwsUsers(db: Db): Promise<void> {
  await endExpired(db, 'aws_user', endAwsUsers)
}
