import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { Mail } from '../../../providers/mail.ts'
import type { Seal } from '../../../secrets/seal.ts'

/** The parts that emails to the people of accounts are sent with. */
export interface AccountMailParts {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
  /** The address of a person who has none at their e-mail, such as a lab user; null: the e-mail is one. */
  mailboxOf(db: Db, user: UserId): Promise<string | null>
}
