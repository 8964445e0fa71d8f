import type { ColumnType, Generated } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { ReadOnly } from './columns.ts'

export interface AuditTable {
  id: ReadOnly<number>
  at: Generated<Date>
  request_id: string
  call: string
  actor_id: UserId | null
  actor_email: string | null
  actor_role: Role | null
  organisation_id: OrganisationId | null
  detail: ColumnType<unknown, string, never>
  /** Where it was asked from; null: by the portal itself. */
  address: string | null
  /** The problem's code; null: it was done. */
  refused: string | null
}

/** The reply that a call with an idempotency key was given. */
export interface StoredReplyTable {
  actor_id: UserId
  key: string
  call: string
  body_hash: Buffer
  reply: ColumnType<unknown, string | null, string>
  created_at: Generated<Date>
}
