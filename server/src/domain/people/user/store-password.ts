import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { revokeLinks } from './invitation-link.ts'
import { sessionsChanged } from '../../../core/session-changes.ts'

/**
 * Stores a password and revokes links. Someone who knew the former password may have linked the user to an LMS, so the
 * user must log in before an LMS signs them in again. Returns false if the current hash differs from `oldPasswordHash`.
 * @param oldPasswordHash undefined to accept any
 */
export async function storePassword(
  tx: Tx,
  user: UserId,
  passwordHash: string,
  oldPasswordHash?: string,
): Promise<boolean> {
  const stored = await tx
    .updateTable('portal_user')
    .set({ password_hash: passwordHash, password_given: false })
    .where('id', '=', user)
    .$if(oldPasswordHash !== undefined, (q) => q.where('password_hash', '=', oldPasswordHash!))
    .returning('id')
    .executeTakeFirst()
  if (stored === undefined) return false
  await sessionsChanged(tx)
  await revokeLinks(tx, user)
  await tx.updateTable('lms_identity').set({ needs_login: true }).where('user_id', '=', user).execute()
  return true
}

export const passwordsNotAllowed = () =>
  conflict('Your organisation does not use passwords here. Sign in with its own provider instead.')
