import { SECOND_FACTOR } from '../contract/second-factor-words.ts'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { SecondFactorDuty } from '@trainyard/platform/server/core/second-factor-duty.ts'
import { selectFactors, selectWithSignInMethod } from './queries.ts'
import { removeRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'

/** Second factors of a user. Recovery codes are only a backup and do not count. */
export interface Factors {
  readonly app: boolean
  readonly passkeys: number
}

export async function factorsOf(db: Db, user: UserId): Promise<Factors> {
  const { rows } = await selectFactors(db, user)
  return rows[0]!
}

export const hasSecondFactor = async (db: Db, user: UserId): Promise<boolean> => hasFactor(await factorsOf(db, user))

export const hasFactor = ({ app, passkeys }: Factors): boolean => app || passkeys > 0

/** Creates recovery codes with the first factor. Returns null if the user already has codes. */
export async function createFirstRecoveryCodes(tx: Tx, user: UserId): Promise<string[] | null> {
  const has = await tx.selectFrom('recovery_code').select('user_id').where('user_id', '=', user).executeTakeFirst()
  return has === undefined ? renewRecoveryCodes(tx, user) : null
}

/**
 * Call after removing a factor. Deletes the recovery codes with the last factor.
 * @throws Problem conflict if a factor is required
 */
export async function requireRemainingFactor(tx: Tx, user: UserId, duty: SecondFactorDuty | null): Promise<void> {
  if (hasFactor(await factorsOf(tx, user))) return
  if (duty !== null) throw conflict(SECOND_FACTOR.needed)
  await removeRecoveryCodes(tx, user)
}

/** Call after removing a passkey. @throws Problem conflict if the user has no other way to sign in */
export async function requireSignInMethod(tx: Tx, user: UserId): Promise<void> {
  const { rows } = await selectWithSignInMethod(tx, user)
  if (rows.length === 0) throw conflict(SECOND_FACTOR.onlySignIn)
}

export async function removeFactors(tx: Tx, user: UserId): Promise<void> {
  for (const table of ['authenticator_app', 'passkey', 'recovery_code', 'challenge'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', user).execute()
  }
}

/** Locks the factors, so that two concurrent removals cannot remove the last two factors. */
export async function lockFactors(tx: Tx, user: UserId): Promise<void> {
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
}
