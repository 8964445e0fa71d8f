import type { ApiKeyId, UserId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, Selectable } from 'kysely'

export interface ApiKeyTable {
  id: Generated<ApiKeyId>
  token_hash: Buffer
  prefix: string
  name: string
  kind: 'personal' | 'service'
  user_id: UserId
  role: 'user' | 'admin' | 'superadmin'
  organisation_id: OrganisationId | null
  scopes: string[]
  networks: string[]
  created_at: Generated<Date>
  expires_at: Date
  used_at: Date | null
  used_address: string | null
}

export type ApiKeyRow = Selectable<ApiKeyTable>

export interface ApiKeysTables {
  api_key: ApiKeyTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends ApiKeysTables {}
}
