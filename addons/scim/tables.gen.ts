import type {
  ScimTokenId,
  OrganisationId,
  ScimUserId,
  UserId,
  ScimGroupId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable, ColumnType } from 'kysely'

export interface ScimTokenTable {
  id: Generated<ScimTokenId>
  organisation_id: OrganisationId
  token_hash: Buffer
  prefix: string
  name: string
  created_by: string
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  used_address: string | null
}

export type ScimTokenRow = Selectable<ScimTokenTable>

export interface ScimUserTable {
  id: Generated<ScimUserId>
  organisation_id: OrganisationId
  user_id: UserId | null
  user_name: string
  external_id: string | null
  active: boolean
  role_given: Generated<boolean>
  emails: string[]
  data: ColumnType<unknown, string, string>
  version: Generated<number>
  created_at: Generated<Date>
  changed_at: Generated<Date>
  adopted: Generated<boolean>
}

export type ScimUserRow = Selectable<ScimUserTable>

export interface ScimGroupTable {
  id: Generated<ScimGroupId>
  organisation_id: OrganisationId
  display_name: string
  external_id: string | null
  role: 'user' | 'admin' | null
  version: Generated<number>
  created_at: Generated<Date>
  changed_at: Generated<Date>
}

export type ScimGroupRow = Selectable<ScimGroupTable>

export interface ScimGroupMemberTable {
  group_id: ScimGroupId
  value: string
  organisation_id: OrganisationId
  display: string | null
}

export type ScimGroupMemberRow = Selectable<ScimGroupMemberTable>

export interface ScimTables {
  scim_token: ScimTokenTable
  scim_user: ScimUserTable
  scim_group: ScimGroupTable
  scim_group_member: ScimGroupMemberTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends ScimTables {}
}
