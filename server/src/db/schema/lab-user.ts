import type { Generated } from 'kysely'
import type { SandboxUserId, UserId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable } from './columns.ts'
import type { LeasedColumns } from './leased.ts'

export interface ProvisionedColumns {
  create_sent_at: Date | null
  blocked_at: Date | null
  absent_at: Date | null
  ended_at: Date | null
}

export interface LabUserColumns extends LeasedColumns, ProvisionedColumns {
  id: DefaultId<SandboxUserId>
  email: Immutable<string>
  personal_email: string
  account_id: UserId | null
  days: number
  start_at: Generated<Date>
  end_at: Date
  first_password: Buffer | null
  desired: Generated<'ready' | 'gone'>
}
