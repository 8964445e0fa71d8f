import type { TemplateId, PrivateNetworkId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Place, Size, ImageReference } from '@trainyard/templates/contract/provider.ts'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'

export interface TemplateTable {
  id: Generated<TemplateId>
  name: string
  rate_paise: Paise
  provider: string
  place: Place
  size: Size
  image: ImageReference
  location: GeneratedAlways<string>
  size_name: GeneratedAlways<string>
  image_id: GeneratedAlways<string>
  os: 'Windows' | 'Linux'
  licence: 'Windows_Server' | 'none'
  cpu: string
  memory: string
  storage: string
  disk: string
  created_at: Generated<Date>
  refusal: string | null
  revision: Generated<number>
  address_kind: Generated<'public address' | 'private address'>
  azure_tags: Generated<AzureTags>
  private_network_id: PrivateNetworkId | null
}

export type TemplateRow = Selectable<TemplateTable>

export interface TemplateAssignmentTable {
  organisation_id: OrganisationId
  template_id: TemplateId
  created_at: Generated<Date>
}

export type TemplateAssignmentRow = Selectable<TemplateAssignmentTable>

export interface CloudPlaceTable {
  provider: string
  location: string
  looked_at: Date
}

export type CloudPlaceRow = Selectable<CloudPlaceTable>

export interface CloudSizeTable {
  provider: string
  location: string
  size: string
  family: string
  cores: number
  withheld: string | null
  memory_mb: number | null
}

export type CloudSizeRow = Selectable<CloudSizeTable>

export interface CloudLimitTable {
  provider: string
  location: string
  family: string
  used: number
  allowed: number
}

export type CloudLimitRow = Selectable<CloudLimitTable>

export interface CloudTermsTable {
  provider: string
  image: ImageReference
  refusal: string | null
  looked_at: Date
}

export type CloudTermsRow = Selectable<CloudTermsTable>

export interface TemplatesTables {
  template: TemplateTable
  template_assignment: TemplateAssignmentTable
  cloud_place: CloudPlaceTable
  cloud_size: CloudSizeTable
  cloud_limit: CloudLimitTable
  cloud_terms: CloudTermsTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends TemplatesTables {}
}
