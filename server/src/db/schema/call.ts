import type { ColumnType, Generated } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Once, ReadOnly } from './columns.ts'

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
  position: Once<number>
  audit_id: Once<number>
  /** SHA-256 of the row's content. */
  row_hash: Once<Buffer>
  previous: Once<Buffer>
  /** SHA-256 of the previous link's hash and the row's hash. */
  chain: Once<Buffer>
  complete_below: Once<string>
  sealed_at: Generated<Date>
}

/** Signed link. Without the key, no link up to it can be forged. */
export interface AuditHeadTable {
  position: Once<number>
  chain: Once<Buffer>
  signed_at: Once<Date>
  public_key: Once<Buffer>
  signature: Once<Buffer>
}

/** Rows that were moved to a file. */
export interface AuditArchiveTable {
  last_position: Once<number>
  first_position: Once<number>
  /** The last link in the file, from which the chain continues. */
  chain: Once<Buffer>
  file: Once<string>
  file_hash: Once<Buffer>
  signed_at: Once<Date>
  public_key: Once<Buffer>
  signature: Once<Buffer>
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
