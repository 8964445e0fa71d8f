import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import type { AwsUsers } from '../../../providers/aws-users.ts'
import { CloudError } from '../../../providers/errors.ts'

/**
 * Leases an account of the pool to a user; of two at once each gets another.
 * @throws Problem conflict: none is free
 */
export async function leaseAccount(tx: Tx, pool: readonly string[], user: SandboxUserId): Promise<void> {
  await sql`insert into aws_account (id) select unnest(${[...pool].sort()}::text[]) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    update aws_account set aws_user_id = ${user} where id = (
      select id from aws_account
      where id = any(${pool}::text[]) and aws_user_id is null and retired_at is null
      order by id limit 1 for update skip locked)
    returning id`.execute(tx)
  const [account] = rows
  if (account === undefined) throw conflict('No AWS account is free: all of the pool are in use or being cleaned.')
  await tx.updateTable('aws_user').set({ aws_account: account.id, leased: true }).where('id', '=', user).execute()
}

/** The account's user is gone: it waits to be cleaned. */
export async function retireLease(tx: Tx, user: SandboxUserId): Promise<void> {
  await sql`
    update aws_account set aws_user_id = null, retired_at = portal_now(), look_at = portal_now()
    where aws_user_id = ${user}`.execute(tx)
}

/** Between looks whether an account was brought back. */
const LOOK_SECONDS = 60

/** Looks at accounts that are away, each in its turn, and takes back what was cleaned. */
export async function takeBackAccounts(db: Db, aws: AwsUsers, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update aws_account set look_at = portal_now() + make_interval(secs => ${LOOK_SECONDS}) where id in (
      select id from aws_account where retired_at is not null and quarantined is null and look_at <= portal_now()
      order by look_at limit 10 for update skip locked)
    returning id`.execute(db)
  for (const { id } of rows) {
    const seen = await lookAt(aws, id, signal)
    if (seen === 'away') continue
    const used = 'It was brought back with lab users in it still.'
    await db
      .updateTable('aws_account')
      .set(seen === 'clean' ? { retired_at: null, look_at: null } : { quarantined: used })
      .where('id', '=', id)
      .where('retired_at', 'is not', null)
      .execute()
  }
}

/** An account that can't be seen is away: the next look follows. */
async function lookAt(aws: AwsUsers, account: string, signal: AbortSignal): Promise<'away' | 'clean' | 'used'> {
  try {
    return await aws.lookAtAccount(account, signal)
  } catch (problem) {
    if (problem instanceof CloudError) return 'away'
    throw problem
  }
}
