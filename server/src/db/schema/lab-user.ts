import type { Generated } from 'kysely'
import type { SandboxUserId, UserId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Once } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

/** Columns of a resource at a provider that is created, blocked, and finally confirmed as deleted. */
export interface PassingColumns {
  create_sent_at: Date | null
  blocked_at: Date | null
  absent_at: Date | null
  ended_at: Date | null
}

/** Columns of a lab user of any provider. */
export interface LabUserColumns extends LeasedColumns, PassingColumns {
  id: DefaultId<SandboxUserId>
  email: Once<string>
  personal_email: string
  account_id: UserId | null
  days: number
  start_at: Generated<Date>
  end_at: Date
  first_password: Buffer | null
  desired: Generated<'ready' | 'gone'>
}
