import type { Generated } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { GroupRole } from '@trainyard/contract/words/sign-in-provider.ts'
import type { ReadOnly } from './columns.ts'

export interface OrganisationDomainTable {
  organisation_id: OrganisationId
  domain: string
  verified_at: Date | null
  verified_by: 'dns' | 'superadmin' | null
}

export interface IdentityProviderTable {
  organisation_id: OrganisationId
  issuer: string
  client_id: string
  client_secret: Buffer
  group_claim: string | null
  signs_out_there: boolean
  admins_need_second_factor: Generated<boolean>
  worked_at: Date | null
  /** Set once a user has signed in with the current settings. */
  works_for: ReadOnly<OrganisationId | null>
}

export interface IdentityProviderGroupTable {
  organisation_id: OrganisationId
  name: string
  role: GroupRole
}

export interface ProviderIdentityTable {
  organisation_id: OrganisationId
  issuer: string
  subject: string
  user_id: UserId
  bound_at: Generated<Date>
}

export interface ProviderSignInTable {
  token_hash: Buffer
  organisation_id: OrganisationId
  tested_by: UserId | null
  expires_at: Date
}
