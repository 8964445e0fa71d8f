import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'

export interface OrganisationTable {
  id: Generated<OrganisationId>
  name: string
  time_zone: Generated<string>
  logo: string | null
  created_at: Generated<Date>
  removed_at: Date | null
  gst: string | null
  credit_limit_paise: Generated<Paise>
  password_change_required: Generated<boolean>
  second_factor: 'optional' | 'required' | null
  second_factor_since: Date | null
  idle_minutes: number | null
  passwords_allowed: Generated<boolean>
  management_sources: string[] | null
  azure_tags: Generated<AzureTags>
  pseudonyms_allowed: Generated<boolean>
  help_email: string | null
  relies_on: GeneratedAlways<OrganisationId | null>
}

export type OrganisationRow = Selectable<OrganisationTable>

export interface OrganisationLogoTable {
  organisation_id: OrganisationId
  digest: Buffer
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  bytes: Buffer
}

export type OrganisationLogoRow = Selectable<OrganisationLogoTable>

export interface OrganisationsTables {
  organisation: OrganisationTable
  organisation_logo: OrganisationLogoTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends OrganisationsTables {}
}
