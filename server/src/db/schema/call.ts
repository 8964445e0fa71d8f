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
  /** IP address of the caller; null if the portal itself acted. */
  address: string | null
  refused: string | null
  before: ColumnType<unknown, string | null, never>
  after: ColumnType<unknown, string | null, never>
  /** Transaction that wrote the row. The hash chain uses it to detect rows of transactions that are still open. */
  xid: ReadOnly<string>
  search_words: ReadOnly<string>
}

export interface AuditSealTable {
  position: Immutable<number>
  audit_id: Immutable<number>
  row_hash: Immutable<Buffer>
  previous: Immutable<Buffer>
  chain: Immutable<Buffer>
  complete_below: Immutable<string>
  sealed_at: Generated<Date>
}

/** Signed link. Without the signing key, no link up to this one can be forged. */
export interface AuditHeadTable {
  position: Immutable<number>
  chain: Immutable<Buffer>
  signed_at: Immutable<Date>
  public_key: Immutable<Buffer>
  signature: Immutable<Buffer>
}

export interface AuditArchiveTable {
  last_position: Immutable<number>
  first_position: Immutable<number>
  /** The last link of the archive, from which the chain continues. */
  chain: Immutable<Buffer>
  file: Immutable<string>
  file_hash: Immutable<Buffer>
  signed_at: Immutable<Date>
  public_key: Immutable<Buffer>
  signature: Immutable<Buffer>
}

export interface StoredReplyTable {
  actor_id: UserId
  key: string
  call: string
  body_hash: Buffer
  reply: ColumnType<unknown, string | null, string>
  created_at: Generated<Date>
}
