import type { ColumnType, Generated } from 'kysely'
import type { OrganisationId, ScimGroupId, ScimTokenId, ScimUserId, UserId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface ScimTokenTable {
  id: DefaultId<ScimTokenId>
  organisation_id: Immutable<OrganisationId>
  token_hash: Immutable<Buffer>
  prefix: Immutable<string>
  name: Immutable<string>
  created_by: Immutable<string>
  created_at: Generated<Date>
  expires_at: Immutable<Date>
  used_at: Date | null
  used_address: string | null
}

export interface ScimUserTable {
  id: DefaultId<ScimUserId>
  organisation_id: Immutable<OrganisationId>
  user_id: UserId | null
  user_name: string
  external_id: string | null
  active: boolean
  role_given: Generated<boolean>
  adopted: Generated<boolean>
  emails: string[]
  data: ColumnType<unknown, string, string>
  version: Generated<number>
  created_at: Generated<Date>
  changed_at: Generated<Date>
}

export interface ScimGroupTable {
  id: DefaultId<ScimGroupId>
  organisation_id: Immutable<OrganisationId>
  display_name: string
  external_id: string | null
  role: 'user' | 'admin' | null
  version: Generated<number>
  created_at: Generated<Date>
  changed_at: Generated<Date>
}

export interface ScimGroupMemberTable {
  group_id: ScimGroupId
  organisation_id: OrganisationId
  value: string
  display: string | null
}
