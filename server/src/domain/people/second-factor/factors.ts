import { sql } from 'kysely'
import { SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import type { SecondFactorDuty } from '../../../core/second-factor-duty.ts'
import { removeRecoveryCodes, renewRecoveryCodes } from './recovery-codes.ts'

/** The kinds of second factor that a person has; recovery codes stand in for either, and are none by themselves. */
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

/** Makes recovery codes with a person's first factor; null: they have theirs. */
export async function firstRecoveryCodes(tx: Tx, user: UserId): Promise<string[] | null> {
  const has = await tx.selectFrom('recovery_code').select('user_id').where('user_id', '=', user).executeTakeFirst()
  return has === undefined ? renewRecoveryCodes(tx, user) : null
}

/**
 * Refuses, after one was taken away, that somebody who needs a second factor is left without. Recovery codes go with the
 * last one that they stand in for.
 * @throws Problem conflict
 */
export async function keepNeededFactor(tx: Tx, user: UserId, duty: SecondFactorDuty | null): Promise<void> {
  if (hasFactor(await factorsOf(tx, user))) return
  if (duty !== null) throw conflict(SECOND_FACTOR.needed)
  await removeRecoveryCodes(tx, user)
}

/** Takes all second factors from a person; who has none is left as they are. */
export async function removeFactors(tx: Tx, user: UserId): Promise<void> {
  for (const table of ['authenticator_app', 'passkey', 'recovery_code', 'challenge'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', user).execute()
  }
}

/** Changes of one person's factors come one after the other: of two at once neither removes the other's last one. */
export async function holdFactors(tx: Tx, user: UserId): Promise<void> {
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
}
