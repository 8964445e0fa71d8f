import type { ColumnType, Generated } from 'kysely'
import type { ErasureId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { DefaultId, Immutable, ReadOnly } from './columns.ts'

export interface PersonErasureTable {
  id: DefaultId<ErasureId>
  number: ReadOnly<number>
  /** Organisation whose rows the erasure covers; null: the erasure covers the whole portal. */
  organisation_id: Immutable<OrganisationId | null>
  /** Null once the erasure is done. */
  email: string | null
  /** E-mail address of the user who requested the erasure. */
  asked_by: Immutable<string>
  asked_at: Generated<Date>
  tried_at: Date | null
  /** Reason why the last attempt failed. */
  problem: string | null
  done_at: Date | null
  report: ColumnType<unknown, string | null, string | null>
}

/** Signed hash of an erased audit row. Only the database's owner writes this table. */
export interface AuditErasureTable {
  audit_id: ReadOnly<number>
  row_hash: ReadOnly<Buffer>
  erased_at: ReadOnly<Date>
  public_key: ReadOnly<Buffer>
  signature: ReadOnly<Buffer>
}

export interface OrganisationPrivacyTable {
  organisation_id: OrganisationId
  responsible: string | null
  contact: string | null
  purpose: string | null
  notice_url: string | null
  activity_days: number | null
  attendance_days: number | null
  email_days: number | null
  sign_in_days: number | null
  webhook_days: number | null
}
