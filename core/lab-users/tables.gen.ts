import type { SandboxUserId, UserId, SandboxId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, GeneratedAlways, ColumnType } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface AzureUserTable {
  id: Generated<SandboxUserId>
  email: string
  personal_email: string
  account_id: UserId | null
  days: number
  start_at: Generated<Date>
  end_at: Date
  first_password: Buffer | null
  total_paise: Paise
  consumed_paise: Generated<Paise>
  desired: Generated<'ready' | 'gone'>
  create_sent_at: Date | null
  object_id: string | null
  blocked_at: Date | null
  absent_at: Date | null
  ended_at: Date | null
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  access_pass_wanted_at: Date | null
  access_pass: Buffer | null
  access_pass_ends_at: Date | null
}

export type AzureUserRow = Selectable<AzureUserTable>

export interface SandboxTable {
  id: Generated<SandboxId>
  provider: Generated<'azure'>
  group_name: string
  azure_user_id: SandboxUserId
  location: string
  created_at: Generated<Date>
  delete_at: Date
  desired: Generated<'ready' | 'frozen' | 'gone'>
  create_sent_at: Date | null
  ours: Generated<boolean>
  access: Generated<'none' | 'read' | 'full'>
  ready_at: Date | null
  metered_at: Date | null
  blocked_at: Date | null
  absent_at: Date | null
  ended_at: Date | null
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
  not_priced: Generated<string[]>
  seen_at: Date | null
  paise_per_hour: Generated<number>
}

export type SandboxRow = Selectable<SandboxTable>

export interface SandboxChargeTable {
  id: GeneratedAlways<number>
  sandbox_id: SandboxId
  from_at: Date
  to_at: Date
  paise: Paise
  cost_paise: Paise
  resources: ColumnType<unknown, string, string>
}

export type SandboxChargeRow = Selectable<SandboxChargeTable>

export interface AwsAccountTable {
  id: string
  aws_user_id: SandboxUserId | null
  retired_at: Date | null
  look_at: Date | null
  quarantined: string | null
}

export type AwsAccountRow = Selectable<AwsAccountTable>

export interface AwsUserTable {
  id: Generated<SandboxUserId>
  username: string
  email: string
  personal_email: string
  account_id: UserId | null
  aws_account: string | null
  leased: Generated<boolean>
  days: number
  start_at: Generated<Date>
  end_at: Date
  first_password: Buffer | null
  desired: Generated<'ready' | 'gone'>
  create_sent_at: Date | null
  ready_at: Date | null
  blocked_at: Date | null
  absent_at: Date | null
  ended_at: Date | null
  reconcile_at: Generated<Date | null>
  leased_until: Date | null
  fence: Generated<number>
  generation: Generated<number>
  attempts: Generated<number>
  last_error: string | null
}

export type AwsUserRow = Selectable<AwsUserTable>

export interface LabUsersTables {
  azure_user: AzureUserTable
  sandbox: SandboxTable
  sandbox_charge: SandboxChargeTable
  aws_account: AwsAccountTable
  aws_user: AwsUserTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends LabUsersTables {}
}
