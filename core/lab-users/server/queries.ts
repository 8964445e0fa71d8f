import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

export const selectMailbox = (db: Db, account: UserId) =>
  sql<{ mailbox: string }>`
    select personal_email as mailbox from azure_user where account_id = ${account}
    union all select personal_email from aws_user where account_id = ${account} limit 1`.execute(db)
