import type { Generated } from 'kysely'
import type { ApiKeyId, OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { DefaultId, Immutable } from './columns.ts'

export interface ApiKeyTable {
  id: DefaultId<ApiKeyId>
  token_hash: Immutable<Buffer>
  prefix: Immutable<string>
  name: Immutable<string>
  kind: Immutable<'personal' | 'service'>
  user_id: Immutable<UserId>
  role: Immutable<Role>
  organisation_id: Immutable<OrganisationId | null>
  scopes: Immutable<string[]>
  networks: Immutable<string[]>
  created_at: Generated<Date>
  expires_at: Immutable<Date>
  used_at: Date | null
  used_address: string | null
}
