import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { AwsUserRow } from '@trainyard/lab-users/tables.gen.ts'

const CHECK_SECONDS = 60

export const insertAccounts = (tx: Tx, sort: readonly string[]) =>
  sql`insert into aws_account (id) select unnest(${sort}::text[]) on conflict do nothing`.execute(tx)

export const leaseFreeAccount = (tx: Tx, user: SandboxUserId, pool: readonly string[]) =>
  sql<{ id: string }>`
    update aws_account set aws_user_id = ${user} where id = (
      select id from aws_account
      where id = any(${pool}::text[]) and aws_user_id is null and retired_at is null
      order by id limit 1 for update skip locked)
    returning id`.execute(tx)

export const retireAccount = (tx: Tx, user: SandboxUserId) =>
  sql`
    update aws_account set aws_user_id = null, retired_at = portal_now(), look_at = portal_now()
    where aws_user_id = ${user}`.execute(tx)

export const claimRetiredAccounts = (db: Db) =>
  sql<{ id: string }>`
    update aws_account set look_at = portal_now() + make_interval(secs => ${CHECK_SECONDS}) where id in (
      select id from aws_account where retired_at is not null and quarantined is null and look_at <= portal_now()
      order by look_at limit 10 for update skip locked)
    returning id`.execute(db)

export const selectEndedUsers = (db: Db, usernames: readonly string[]) =>
  sql<Pick<AwsUserRow, 'id' | 'username'>>`
    select u.id, u.username from aws_user u
    where lower(u.username) = any(${usernames}::text[]) and u.ended_at is not null
      and not exists (select from aws_user n where lower(n.username) = lower(u.username) and n.ended_at is null)
    order by u.ended_at desc limit 1000`.execute(db)
