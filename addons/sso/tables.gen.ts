import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Selectable, GeneratedAlways, Generated } from 'kysely'

export interface OrganisationDomainTable {
  organisation_id: OrganisationId
  domain: string
  verified_at: Date | null
  verified_by: 'dns' | 'superadmin' | null
}

export type OrganisationDomainRow = Selectable<OrganisationDomainTable>

export interface IdentityProviderTable {
  organisation_id: OrganisationId
  issuer: string
  client_id: string
  client_secret: Buffer
  group_claim: string | null
  signs_out_there: boolean
  worked_at: Date | null
  works_for: GeneratedAlways<OrganisationId | null>
  admins_need_second_factor: Generated<boolean>
}

export type IdentityProviderRow = Selectable<IdentityProviderTable>

export interface IdentityProviderGroupTable {
  organisation_id: OrganisationId
  name: string
  role: 'user' | 'admin'
}

export type IdentityProviderGroupRow = Selectable<IdentityProviderGroupTable>

export interface ProviderIdentityTable {
  organisation_id: OrganisationId
  issuer: string
  subject: string
  user_id: UserId
  bound_at: Generated<Date>
}

export type ProviderIdentityRow = Selectable<ProviderIdentityTable>

export interface ProviderSignInTable {
  token_hash: Buffer
  organisation_id: OrganisationId
  tested_by: UserId | null
  expires_at: Date
}

export type ProviderSignInRow = Selectable<ProviderSignInTable>

export interface SsoTables {
  organisation_domain: OrganisationDomainTable
  identity_provider: IdentityProviderTable
  identity_provider_group: IdentityProviderGroupTable
  provider_identity: ProviderIdentityTable
  provider_sign_in: ProviderSignInTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends SsoTables {}
}
