import type { ErasureId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Generated, GeneratedAlways, ColumnType, Selectable } from 'kysely'

export interface PersonErasureTable {
  id: Generated<ErasureId>
  number: GeneratedAlways<number>
  organisation_id: OrganisationId | null
  email: string | null
  asked_by: string
  asked_at: Generated<Date>
  tried_at: Date | null
  problem: string | null
  done_at: Date | null
  report: ColumnType<unknown, string | null | undefined, string | null>
}

export type PersonErasureRow = Selectable<PersonErasureTable>

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

export type OrganisationPrivacyRow = Selectable<OrganisationPrivacyTable>

export interface PrivacyTables {
  person_erasure: PersonErasureTable
  organisation_privacy: OrganisationPrivacyTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends PrivacyTables {}
}
