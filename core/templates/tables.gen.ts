import type { TemplateId, PrivateNetworkId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'

export interface TemplateTable {
  id: Generated<TemplateId>
  name: string
  rate_paise: Paise
  resource_group: string
  location: string
  vnet: string
  vm_size: string
  image_id: string
  os: 'Windows' | 'Linux'
  licence: 'Windows_Server' | 'none'
  plan_publisher: string | null
  plan_product: string | null
  plan_version: string | null
  cpu: string
  memory: string
  storage: string
  disk: string
  created_at: Generated<Date>
  refusal: string | null
  revision: Generated<number>
  address_kind: Generated<'public address' | 'private address'>
  azure_tags: Generated<AzureTags>
  disk_sku: Generated<'Standard_LRS' | 'StandardSSD_LRS' | 'StandardSSD_ZRS' | 'Premium_LRS' | 'Premium_ZRS'>
  disk_encryption_set: string | null
  encryption_at_host: Generated<boolean>
  boot_diagnostics: Generated<boolean>
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
  location: string
  looked_at: Date
}

export type CloudPlaceRow = Selectable<CloudPlaceTable>

export interface CloudSizeTable {
  location: string
  size: string
  family: string
  cores: number
  withheld: string | null
  memory_mb: number | null
}

export type CloudSizeRow = Selectable<CloudSizeTable>

export interface CloudLimitTable {
  location: string
  family: string
  used: number
  allowed: number
}

export type CloudLimitRow = Selectable<CloudLimitTable>

export interface CloudTermsTable {
  publisher: string
  product: string
  plan: string
  accepted: boolean
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
