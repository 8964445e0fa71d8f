import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Mail } from '@trainyard/platform/server/mail/mail.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

export interface UserMailDependencies {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
}

/**
 * The separate mailbox of a user, such as the personal address of a lab user; null if mail goes to the user's e-mail
 * address.
 */
export const separateMailbox = hook<UserId, string | null>('users.mailbox', null, (first, second) => first ?? second)

/** Returns the address to which mail for a user goes. */
export const mailboxOf = async (db: Db, user: UserId, email: string): Promise<string> =>
  (await ask(db, separateMailbox, user)) ?? email
