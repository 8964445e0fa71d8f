import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { revokeLinks } from './invitation-link.ts'

/** Users who have a new password. Someone who knew the former one may have used it. */
export const passwordsChanged = event<UserId>('users.passwordChanged')

/**
 * Stores a password and revokes links. Returns false if the current hash differs from `oldPasswordHash`.
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
  await revokeLinks(tx, user)
  await emit(tx, passwordsChanged, [user])
  return true
}

export const passwordsNotAllowed = () =>
  conflict('Your organisation does not use passwords here. Sign in with its own provider instead.')
