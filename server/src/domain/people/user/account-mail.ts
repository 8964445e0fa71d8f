import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { Mail } from '../../../providers/mail.ts'
import type { Seal } from '../../../secrets/seal.ts'

export interface AccountMailParts {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
  /** Null if the e-mail is a real mailbox, unlike that of a lab user. */
  mailboxOf(db: Db, user: UserId): Promise<string | null>
}
