import type { ColumnType, Generated, Selectable } from 'kysely'
import type { SandboxId, SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'
import type { LabUserColumns, ProvisionedColumns } from './lab-user.ts'
import type { LeasedColumns } from './leased.ts'

export interface AzureUserTable extends LabUserColumns {
  total_paise: Paise
  consumed_paise: Generated<Paise>
  object_id: string | null
  access_pass_wanted_at: Date | null
  access_pass: Buffer | null
  access_pass_ends_at: Date | null
}

export interface SandboxTable extends LeasedColumns, ProvisionedColumns {
  id: DefaultId<SandboxId>
  provider: Generated<'azure'>
  group_name: Immutable<string>
  azure_user_id: Immutable<SandboxUserId>
  location: string
  created_at: Generated<Date>
  delete_at: Date
  desired: Generated<'ready' | 'frozen' | 'gone'>
  ours: Generated<boolean>
  access: Generated<'none' | 'read' | 'full'>
  ready_at: Date | null
  metered_at: Date | null
  seen_at: Date | null
  paise_per_hour: Generated<number>
  /** Resources without a price. They are not charged. */
  not_priced: Generated<string[]>
}

export interface SandboxChargeTable {
  id: ReadOnly<number>
  sandbox_id: SandboxId
  from_at: Date
  to_at: Date
  paise: Paise
  cost_paise: Paise
  resources: ColumnType<unknown, string, never>
}

export type AzureUserRow = Selectable<AzureUserTable>
export type SandboxRow = Selectable<SandboxTable>
