import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { revokeLinks } from './invitation.ts'

/**
 * Stores the password that a person chose. Links that would set another one end, whoever has them.
 * @param before the hash that it takes the place of; undefined: whichever there is
 * @returns false where that was changed meanwhile, or the account is gone
 */
export async function storePassword(tx: Tx, user: UserId, passwordHash: string, before?: string): Promise<boolean> {
  const stored = await tx
    .updateTable('portal_user')
    .set({ password_hash: passwordHash, password_given: false })
    .where('id', '=', user)
    .$if(before !== undefined, (q) => q.where('password_hash', '=', before!))
    .returning('id')
    .executeTakeFirst()
  if (stored === undefined) return false
  await revokeLinks(tx, user)
  return true
}

/** Refuses a password to somebody whose organisation has none. */
export const withoutPasswords = () =>
  conflict('Your organisation uses no passwords here. Sign in with its own provider instead.')
