import { type Selectable, sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { awsUser } from '../contract/sandbox.ts'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { DEFAULT_TIME_ZONE, SANDBOX_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import type { Db, Schema, Tx } from '@trainyard/platform/server/db/schema.ts'
import { notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { lockLabUsers } from './end-lab-users.ts'
import { stillBeingEnded } from './add-lab-user.ts'
import type { LabUserTable } from './lab-users.ts'

type Renewable<Table extends LabUserTable> =
  | { readonly state: 'existing'; readonly id: SandboxUserId; readonly end_at: Date }
  | { readonly state: 'ended'; readonly user: Selectable<Schema[Table]> }

/**
 * Locks an existing user, or returns the last ended one.
 * @throws Problem notFound; conflict while the user is being ended
 */
export async function findRenewable<Table extends LabUserTable>(
  tx: Tx,
  table: Table,
  email: string,
): Promise<Renewable<Table>> {
  const existing = await tx
    .selectFrom(table as 'azure_user')
    .select('id')
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (existing !== undefined) {
    await lockLabUsers(tx, table, [existing.id])
    const { desired, end_at } = await tx
      .selectFrom(table as 'azure_user')
      .select(['desired', 'end_at'])
      .where('id', '=', existing.id)
      .executeTakeFirstOrThrow()
    if (desired === 'gone') throw stillBeingEnded(email)
    return { state: 'existing', id: existing.id, end_at }
  }
  const { rows } = await sql<Selectable<Schema[Table]>>`
    select * from ${sql.table(table)} where email = ${email} order by ended_at desc limit 1`.execute(tx)
  if (rows[0] === undefined) throw notFound('user')
  return { state: 'ended', user: rows[0] }
}

/**
 * Extends the access of a user by a number of days, from now if the access has ended. @throws Problem invalid if the
 * new end is more than SANDBOX_DAYS_MAX days from now
 */
export async function extendEnd(tx: Tx, table: LabUserTable, id: SandboxUserId, days: number): Promise<Date> {
  const { rows } = await sql<{ end_at: Date; near: boolean }>`
    update ${sql.table(table)} set days = days + ${days},
      end_at = greatest(end_at, date_trunc('second', portal_now())) + make_interval(days => ${days})
    where id = ${id}
    returning end_at, end_at <= portal_now() + make_interval(days => ${SANDBOX_DAYS_MAX}) as near`.execute(tx)
  const { end_at, near } = rows[0]!
  if (!near) throw new Problem('invalid', `duration must leave the end within ${SANDBOX_DAYS_MAX} days from now.`)
  return end_at
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: DEFAULT_TIME_ZONE })

export const extendedMessage = (email: string, end: Date): string => `User ${email} now ends on ${day.format(end)}.`

export const recreatedMessage = (email: string, provider: string): string =>
  `User ${email} had expired. A new ${provider} account is being created, and the user is invited by mail.`

const MAX_LISTED = 200

/** Returns users who ended in the last 90 days, latest first, except those with a newer user of the same name. */
export async function endedLabUsers(db: Db, table: LabUserTable): Promise<ReplyOf<typeof awsUser.ended>> {
  const { rows } = await sql<{ email: string; personal_email: string; ended_at: Date }>`
    select email, personal_email, ended_at from (
      select distinct on (email) email, personal_email, ended_at, end_at from ${sql.table(table)}
      order by email, ended_at desc nulls first) as last
    where ended_at > portal_now() - interval '90 days'
    order by ended_at desc, email limit ${MAX_LISTED}`.execute(db)
  return {
    users: rows.map(({ email, personal_email, ended_at }) => ({
      email,
      personalEmail: personal_email,
      endDate: ended_at.toISOString(),
    })),
  }
}
