import type { GeneratedAlways, Generated, ColumnType, Selectable } from 'kysely'
import type { UserId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'

export interface AuditTable {
  id: GeneratedAlways<number>
  at: Generated<Date>
  request_id: string
  call: string
  actor_id: UserId | null
  actor_email: string | null
  actor_role: Role | null
  organisation_id: OrganisationId | null
  detail: ColumnType<unknown, string, string>
  address: string | null
  refused: string | null
  before: ColumnType<unknown, string | null | undefined, string | null>
  after: ColumnType<unknown, string | null | undefined, string | null>
  xid: Generated<string>
  search_words: GeneratedAlways<string>
}

export type AuditRow = Selectable<AuditTable>

export interface AuditSealTable {
  position: number
  audit_id: number
  row_hash: Buffer
  previous: Buffer
  chain: Buffer
  complete_below: string
  sealed_at: Generated<Date>
}

export type AuditSealRow = Selectable<AuditSealTable>

export interface AuditHeadTable {
  position: number
  chain: Buffer
  signed_at: Date
  public_key: Buffer
  signature: Buffer
}

export type AuditHeadRow = Selectable<AuditHeadTable>

export interface AuditArchiveTable {
  last_position: number
  first_position: number
  chain: Buffer
  file: string
  file_hash: Buffer
  signed_at: Date
  public_key: Buffer
  signature: Buffer
}

export type AuditArchiveRow = Selectable<AuditArchiveTable>

export interface AuditErasureTable {
  audit_id: number
  row_hash: Buffer
  erased_at: Date
  public_key: Buffer
  signature: Buffer
}

export type AuditErasureRow = Selectable<AuditErasureTable>

export interface AuditTables {
  audit: AuditTable
  audit_seal: AuditSealTable
  audit_head: AuditHeadTable
  audit_archive: AuditArchiveTable
  audit_erasure: AuditErasureTable
}
declare module '../schema.ts' {
  interface Schema extends AuditTables {}
}
