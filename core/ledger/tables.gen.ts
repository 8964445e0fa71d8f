import type { GeneratedAlways, Generated, ColumnType, Selectable } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface LedgerEntryTable {
  id: GeneratedAlways<number>
  organisation_id: OrganisationId
  kind:
    | 'invoice'
    | 'payment'
    | 'refund'
    | 'tds'
    | 'invoice reversal'
    | 'payment reversal'
    | 'tds reversal'
    | 'write-off'
  reference: string
  particular: string
  amount_paise: Paise
  date: string
  source: 'manual' | 'provider' | 'issued'
  created_by: string
  created_at: Generated<Date>
  refund_of: string | null
  tds_section: string | null
  tds_year: string | null
  tds_quarter: number | null
  reverses: string | null
  reversed_kind: GeneratedAlways<string | null>
  settles: string | null
  settled_kind: GeneratedAlways<string | null>
  deducted_from: string | null
  deducted_kind: GeneratedAlways<string | null>
  entered_document: ColumnType<unknown, string | null | undefined, string | null>
}

export type LedgerEntryRow = Selectable<LedgerEntryTable>

export interface LedgerBalanceTable {
  organisation_id: OrganisationId
  invoice_paise: Paise
  payment_paise: Paise
}

export type LedgerBalanceRow = Selectable<LedgerBalanceTable>

export interface LedgerTables {
  ledger_entry: LedgerEntryTable
  ledger_balance: LedgerBalanceTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends LedgerTables {}
}
