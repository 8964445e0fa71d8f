import { type Selectable, sql } from 'kysely'
import type { SandboxUserId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Schema } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import { selectMailbox } from './queries.ts'

/** Tables of lab users. Both have the columns of `LabUserColumns`. */
export type LabUserTable = 'azure_user' | 'aws_user'

const MAX_LISTED = 5_000

export async function existingLabUsers<Table extends LabUserTable>(
  db: Db,
  table: Table,
): Promise<Selectable<Schema[Table]>[]> {
  const { rows } = await sql<Selectable<Schema[Table]>>`
    select * from ${sql.table(table)} where ended_at is null order by start_at desc, id limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** @throws Problem notFound */
export async function findLabUser(db: Db, table: LabUserTable, email: string): Promise<SandboxUserId> {
  const user = await db
    .selectFrom(table)
    .select('id')
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (user === undefined) throw notFound('user')
  return user.id
}

/** @throws Problem notFound */
export async function ownLabUser<Table extends LabUserTable>(
  db: Db,
  table: Table,
  actor: Actor,
): Promise<Selectable<Schema[Table]>> {
  const { rows } = await sql<Selectable<Schema[Table]>>`
    select * from ${sql.table(table)} where account_id = ${actor.id}`.execute(db)
  const [user] = rows
  if (user === undefined) throw notFound('lab user')
  return user
}

/** Returns the separate mailbox of a lab user; null for any other account. */
export async function mailboxOf(db: Db, account: UserId): Promise<string | null> {
  const { rows } = await selectMailbox(db, account)
  return rows[0]?.mailbox ?? null
}
