import type { Generated, Selectable } from 'kysely'

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

export interface AuditChainTables {
  audit_seal: AuditSealTable
  audit_head: AuditHeadTable
  audit_archive: AuditArchiveTable
  audit_erasure: AuditErasureTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends AuditChainTables {}
}
