import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { AwsUserRow } from '../../../db/tables/lab-users.gen.ts'
import type { AwsUsers } from '../../../providers/aws-users.ts'

/** Deletes users that AWS created after their row had ended. Changes only users with the ID of an ended row. */
export async function removeOrphans(db: Db, aws: AwsUsers, signal: AbortSignal): Promise<void> {
  for (const row of await endedAmong(db, await aws.list(signal))) {
    const at = { id: row.id, username: row.username, account: null }
    await aws.block(at, signal)
    await aws.remove(at, signal)
  }
}

async function endedAmong(db: Db, usernames: readonly string[]): Promise<Pick<AwsUserRow, 'id' | 'username'>[]> {
  const { rows } = await sql<Pick<AwsUserRow, 'id' | 'username'>>`
    select u.id, u.username from aws_user u
    where lower(u.username) = any(${usernames.map((name) => name.toLowerCase())}::text[]) and u.ended_at is not null
      and not exists (select from aws_user n where lower(n.username) = lower(u.username) and n.ended_at is null)
    order by u.ended_at desc limit 1000`.execute(db)
  return rows
}
