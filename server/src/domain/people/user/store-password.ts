import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { revokeLinks } from './invitation.ts'

/**
 * Stores a password chosen by the user and revokes all links that could set another one.
 * @param before hash of the expected present password; undefined to accept any
 * @returns false if the present password differs or the account was deleted
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

export const passwordsNotAllowed = () =>
  conflict('Your organisation does not use passwords here. Sign in with its own provider instead.')
