import type { ColumnType, Generated } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Immutable, ReadOnly } from './columns.ts'

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
  /** Client address; null if the portal itself acted. */
  address: string | null
  /** Code of the problem; null if the call succeeded. */
  refused: string | null
  /** The object before and after the change, if the call records it. */
  before: ColumnType<unknown, string | null, never>
  after: ColumnType<unknown, string | null, never>
  /** Transaction that wrote the row. The chain uses it to know which rows can still appear. */
  xid: ReadOnly<string>
  search_words: ReadOnly<string>
}

/** Link of the audit chain. */
export interface AuditSealTable {
  position: Immutable<number>
  audit_id: Immutable<number>
  /** SHA-256 of the row's content. */
  row_hash: Immutable<Buffer>
  previous: Immutable<Buffer>
  /** SHA-256 of the previous link's hash and the row's hash. */
  chain: Immutable<Buffer>
  complete_below: Immutable<string>
  sealed_at: Generated<Date>
}

/** Signed link. Without the key, no link up to it can be forged. */
export interface AuditHeadTable {
  position: Immutable<number>
  chain: Immutable<Buffer>
  signed_at: Immutable<Date>
  public_key: Immutable<Buffer>
  signature: Immutable<Buffer>
}

/** Rows that were moved to a file. */
export interface AuditArchiveTable {
  last_position: Immutable<number>
  first_position: Immutable<number>
  /** The last link in the file, from which the chain continues. */
  chain: Immutable<Buffer>
  file: Immutable<string>
  file_hash: Immutable<Buffer>
  signed_at: Immutable<Date>
  public_key: Immutable<Buffer>
  signature: Immutable<Buffer>
}

/** Reply to a call with an idempotency key. */
export interface StoredReplyTable {
  actor_id: UserId
  key: string
  call: string
  body_hash: Buffer
  reply: ColumnType<unknown, string | null, string>
  created_at: Generated<Date>
}
