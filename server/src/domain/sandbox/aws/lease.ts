import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import type { AwsUsers } from '../../../providers/aws-users.ts'
import { CloudError } from '../../../providers/errors.ts'

/**
 * Leases an account. Concurrent calls get different accounts.
 * @throws Problem conflict if none is free
 */
export async function leaseAwsAccount(tx: Tx, pool: readonly string[], user: SandboxUserId): Promise<void> {
  await sql`insert into aws_account (id) select unnest(${[...pool].sort()}::text[]) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    update aws_account set aws_user_id = ${user} where id = (
      select id from aws_account
      where id = any(${pool}::text[]) and aws_user_id is null and retired_at is null
      order by id limit 1 for update skip locked)
    returning id`.execute(tx)
  const [account] = rows
  if (account === undefined)
    throw conflict('No AWS account is available: all accounts of the pool are in use or being cleaned.')
  await tx.updateTable('aws_user').set({ aws_account: account.id, leased: true }).where('id', '=', user).execute()
}

/** Ends a lease. The account must be cleaned before its next lease. */
export async function retireLease(tx: Tx, user: SandboxUserId): Promise<void> {
  await sql`
    update aws_account set aws_user_id = null, retired_at = portal_now(), look_at = portal_now()
    where aws_user_id = ${user}`.execute(tx)
}

const CHECK_SECONDS = 60

/** Makes cleaned accounts available again. */
export async function reclaimAwsAccounts(db: Db, aws: AwsUsers, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update aws_account set look_at = portal_now() + make_interval(secs => ${CHECK_SECONDS}) where id in (
      select id from aws_account where retired_at is not null and quarantined is null and look_at <= portal_now()
      order by look_at limit 10 for update skip locked)
    returning id`.execute(db)
  for (const { id } of rows) {
    const current = await accountState(aws, id, signal)
    if (current === 'away') continue
    const used = 'The account was returned while it still contained lab users.'
    await db
      .updateTable('aws_account')
      .set(current === 'clean' ? { retired_at: null, look_at: null } : { quarantined: used })
      .where('id', '=', id)
      .where('retired_at', 'is not', null)
      .execute()
  }
}

/** Returns the state of an account. An account that cannot be read is checked again later. */
async function accountState(aws: AwsUsers, account: string, signal: AbortSignal): Promise<'away' | 'clean' | 'used'> {
  try {
    return await aws.getAccountState(account, signal)
  } catch (problem) {
    if (problem instanceof CloudError) return 'away'
    throw problem
  }
}
