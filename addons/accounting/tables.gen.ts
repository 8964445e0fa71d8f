import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { GeneratedAlways, Generated, Selectable } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface TdsCertificateTable {
  organisation_id: OrganisationId
  entry: string
  entry_kind: GeneratedAlways<string>
  certificate: string
  recorded_by: string
  recorded_at: Generated<Date>
}

export type TdsCertificateRow = Selectable<TdsCertificateTable>

export interface LedgerAccountTable {
  code: string
  name: string
  place: number
}

export type LedgerAccountRow = Selectable<LedgerAccountTable>

export interface PostingTable {
  entry_id: number
  account: string
  organisation_id: OrganisationId
  paise: Paise
}

export type PostingRow = Selectable<PostingTable>

export interface AccountingTables {
  tds_certificate: TdsCertificateTable
  ledger_account: LedgerAccountTable
  posting: PostingTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends AccountingTables {}
}
