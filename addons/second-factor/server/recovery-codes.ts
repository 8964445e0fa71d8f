import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { RECOVERY_CODES } from '../contract/second-factor-words.ts'
import { normaliseTypedCode } from '@trainyard/platform/contract/words/typed-code.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'

/** Characters that are not easily confused. Source: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Length with 120 bits of entropy, so that a plain hash is safe. */
const LENGTH = 24
const GROUP = /.{4}(?=.)/g

const newCode = (): string => [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]!).join('')

/** Returns a code in canonical spelling: O is read as 0, I and L as 1. */
const normalise = (entered: string): string => normaliseTypedCode(entered).replaceAll('O', '0').replaceAll(/[IL]/g, '1')

const hashOf = (user: UserId, code: string): Buffer => hashToken(`recovery code ${user} ${normalise(code)}`)

/** Returns true for a recovery code, which is longer than an app code. */
export const isRecoveryCode = (entered: string): boolean => normalise(entered).length === LENGTH

/** Replaces a user's recovery codes. Only their hashes are stored. */
export async function renewRecoveryCodes(tx: Tx, user: UserId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await removeRecoveryCodes(tx, user)
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: user, code_hash: hashOf(user, code) })))
    .execute()
  return codes.map((code) => code.replaceAll(GROUP, '$&-'))
}

export async function removeRecoveryCodes(tx: Tx, user: UserId): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', user).execute()
}

export async function recoveryCodesLeft(db: Db, user: UserId): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', user)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

export async function isUnusedRecoveryCode(db: Db, user: UserId, code: string): Promise<boolean> {
  const found = await db
    .selectFrom('recovery_code')
    .select('user_id')
    .where('user_id', '=', user)
    .where('code_hash', '=', hashOf(user, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Consumes a recovery code. Returns false if it was used before. */
export async function consumeRecoveryCode(tx: Tx, user: UserId, code: string): Promise<boolean> {
  const taken = await tx
    .updateTable('recovery_code')
    .set({ used_at: sql<Date>`portal_now()` })
    .where('user_id', '=', user)
    .where('code_hash', '=', hashOf(user, code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
