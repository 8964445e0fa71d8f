import { sql } from 'kysely'
import { SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import type { SecondFactorDuty } from '../../../core/second-factor-duty.ts'
import { removeRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'

/** Second factors of a user. Recovery codes are only a backup and do not count. */
export interface Factors {
  readonly app: boolean
  readonly passkeys: number
}

export async function factorsOf(db: Db, user: UserId): Promise<Factors> {
  const { rows } = await sql<{ app: boolean; passkeys: number }>`
    select exists (select from authenticator_app where user_id = ${user}) as app,
      (select count(*)::int from passkey where user_id = ${user}) as passkeys`.execute(db)
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
  const { rows } = await sql`
    select from portal_user u where u.id = ${user} and (u.password_hash is not null
      or exists (select from passkey p where p.user_id = u.id)
      or exists (select from provider_identity i where i.user_id = u.id)
      or exists (select from lms_identity l where l.user_id = u.id))`.execute(tx)
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
