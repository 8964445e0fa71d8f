import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { AwsUserRow } from '../../../db/schema/aws-lab.ts'
import type { AwsUsers } from '../../../providers/aws-users.ts'
import { CloudError } from '../../../providers/cloud.ts'

/** Between looks at all users that stand in the shared account. */
const SWEEP_SECONDS = 10 * 60

/**
 * Blocks and deletes users that came after their row had ended: a creation that was held up on its way for minutes, or
 * sent by a worker that was. Only what carries the id of an ended row of ours is touched. Of all workers one looks.
 */
export async function removeOrphans(db: Db, aws: AwsUsers, signal: AbortSignal): Promise<void> {
  if (!(await takeTurn(db))) return
  try {
    const there = await aws.list(signal)
    for (const row of await endedAmong(db, there)) {
      const at = { id: row.id, username: row.username, account: null }
      await aws.block(at, signal)
      await aws.remove(at, signal)
    }
  } catch (problem) {
    // What could not be asked or done now is looked at again in its turn.
    if (!(problem instanceof CloudError)) throw problem
  }
}

async function takeTurn(db: Db): Promise<boolean> {
  const { rows } = await sql`
    insert into sweep as s (name, due_at) values ('aws users', portal_now() + make_interval(secs => ${SWEEP_SECONDS}))
    on conflict (name) do update set due_at = excluded.due_at, begun_at = portal_now() where s.due_at <= portal_now()
    returning name`.execute(db)
  return rows.length > 0
}

/** Who had these names and has ended, where nobody has the name now. */
async function endedAmong(db: Db, usernames: readonly string[]): Promise<Pick<AwsUserRow, 'id' | 'username'>[]> {
  const { rows } = await sql<Pick<AwsUserRow, 'id' | 'username'>>`
    select u.id, u.username from aws_user u
    where lower(u.username) = any(${usernames.map((name) => name.toLowerCase())}::text[]) and u.ended_at is not null
      and not exists (select from aws_user n where lower(n.username) = lower(u.username) and n.ended_at is null)
    order by u.ended_at desc limit 1000`.execute(db)
  return rows
}
