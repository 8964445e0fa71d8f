import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { Mail } from '../../../providers/mail.ts'
import type { Seal } from '../../../secrets/seal.ts'

export interface UserMailDependencies {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
  /**
   * Returns the separate mailbox of a user, such as the personal address of a lab user. Returns null if mail goes
   * to the user's e-mail address.
   */
  mailboxOf(db: Db, user: UserId): Promise<string | null>
}
