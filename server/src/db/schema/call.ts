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
  /** Where it was asked from; null: by the portal itself. */
  address: string | null
  /** The problem's code; null: it was done. */
  refused: string | null
  /** The thing as it was and as it is since, where the call says so. */
  before: ColumnType<unknown, string | null, never>
  after: ColumnType<unknown, string | null, never>
  /** The transaction that wrote the row: by it the chain knows what can still come. */
  xid: ReadOnly<string>
  search_words: ReadOnly<string>
}

/** A link of the audit's chain. */
export interface AuditSealTable {
  position: Once<number>
  audit_id: Once<number>
  /** sha256 of the row's content. */
  row_hash: Once<Buffer>
  previous: Once<Buffer>
  /** sha256 of the previous link's and of the row's hash. */
  chain: Once<Buffer>
  complete_below: Once<string>
  sealed_at: Generated<Date>
}

/** A link that was signed: nothing up to it can be made anew without the key. */
export interface AuditHeadTable {
  position: Once<number>
  chain: Once<Buffer>
  signed_at: Once<Date>
  public_key: Once<Buffer>
  signature: Once<Buffer>
}

/** Rows that were written to a file, and cut. */
export interface AuditArchiveTable {
  last_position: Once<number>
  first_position: Once<number>
  /** The last link in the file, from which the chain goes on. */
  chain: Once<Buffer>
  file: Once<string>
  file_hash: Once<Buffer>
  signed_at: Once<Date>
  public_key: Once<Buffer>
  signature: Once<Buffer>
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
