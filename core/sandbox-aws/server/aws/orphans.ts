import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { AwsUserRow } from '@trainyard/lab-users/tables.gen.ts'
import type { AwsUsers } from '../aws-users.ts'
import { selectEndedUsers } from './queries.ts'

/** Deletes users that AWS created after their row had ended. Changes only users with the ID of an ended row. */
export async function removeOrphans(db: Db, aws: AwsUsers, signal: AbortSignal): Promise<void> {
  for (const row of await endedAmong(db, await aws.list(signal))) {
    const at = { id: row.id, username: row.username, account: null }
    await aws.block(at, signal)
    await aws.remove(at, signal)
  }
}

async function endedAmong(db: Db, usernames: readonly string[]): Promise<Pick<AwsUserRow, 'id' | 'username'>[]> {
  const { rows } = await selectEndedUsers(
    db,
    usernames.map((name) => name.toLowerCase()),
  )
  return rows
}
