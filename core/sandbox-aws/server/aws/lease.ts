import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { AwsUsers } from '../aws-users.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { insertAccounts, leaseFreeAccount, retireAccount, claimRetiredAccounts } from './queries.ts'

/**
 * Leases an account. Concurrent calls get different accounts.
 * @throws Problem conflict if none is free
 */
export async function leaseAwsAccount(tx: Tx, pool: readonly string[], user: SandboxUserId): Promise<void> {
  await insertAccounts(tx, [...pool].sort())
  const { rows } = await leaseFreeAccount(tx, user, pool)
  const [account] = rows
  if (account === undefined)
    throw conflict('No AWS account is available: all accounts of the pool are in use or being cleaned.')
  await tx.updateTable('aws_user').set({ aws_account: account.id, leased: true }).where('id', '=', user).execute()
}

/** Ends a lease. The account must be cleaned before its next lease. */
export async function retireLease(tx: Tx, user: SandboxUserId): Promise<void> {
  await retireAccount(tx, user)
}

/** Makes cleaned accounts available again. */
export async function reclaimAwsAccounts(db: Db, aws: AwsUsers, signal: AbortSignal): Promise<void> {
  const { rows } = await claimRetiredAccounts(db)
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
