import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { Mail } from '../../../providers/mail.ts'
import type { Seal } from '../../../secrets/seal.ts'

export interface AccountMailParts {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
  /**
   * Returns the mailbox of a user whose e-mail is not a real mailbox, such as a lab user; null if the e-mail is one.
   */
  mailboxOf(db: Db, user: UserId): Promise<string | null>
}
