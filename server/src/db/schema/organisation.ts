import type { Generated } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { AzureTags } from '@trainyard/contract/words/azure-tags.ts'
import type { LogoType } from '@trainyard/contract/words/logo.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import type { SecondFactorRule } from '@trainyard/contract/words/sign-in.ts'
import type { DefaultId, ReadOnly } from './columns.ts'

export interface OrganisationTable {
  id: DefaultId<OrganisationId>
  name: string
  time_zone: Generated<string>
  logo: string | null
  gst: string | null
  credit_limit_paise: Generated<Paise>
  created_at: Generated<Date>
  removed_at: Date | null
  password_change_required: Generated<boolean>
  second_factor: SecondFactorRule | null
  second_factor_since: Date | null
  idle_minutes: number | null
  /** Tags of every Azure resource that is created for the organisation. */
  azure_tags: Generated<AzureTags>
  passwords_allowed: Generated<boolean>
  pseudonyms_allowed: Generated<boolean>
  management_sources: string[] | null
  /** Address to which learners write; null: they write to an instructor or to the admin who ordered. */
  help_email: string | null
  /** Equal to `id` while passwords are not allowed: a foreign key then requires a working identity provider. */
  relies_on: ReadOnly<OrganisationId | null>
}

export interface OrganisationLogoTable {
  organisation_id: OrganisationId
  digest: Buffer
  type: LogoType
  bytes: Buffer
}
