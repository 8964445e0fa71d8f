import type { Generated, Selectable } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Immutable } from './columns.ts'
import type { LabUserColumns } from './lab-user.ts'

export interface AwsUserTable extends LabUserColumns {
  username: Immutable<string>
  aws_account: string | null
  leased: Generated<boolean>
  ready_at: Date | null
}

export interface AwsAccountTable {
  id: string
  aws_user_id: SandboxUserId | null
  retired_at: Date | null
  look_at: Date | null
  quarantined: string | null
}

export type AwsUserRow = Selectable<AwsUserTable>
