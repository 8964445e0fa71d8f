import type { Selectable, GeneratedAlways, Generated } from 'kysely'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'

export interface SettlementTable {
  id: string
  utr: string | null
  settled_at: Date
}

export type SettlementRow = Selectable<SettlementTable>

export interface SettlementLineTable {
  id: string
  type: string
  settlement: string
  currency: string
  amount_paise: Paise
  credit_paise: Paise
  debit_paise: Paise
  fee_paise: Paise
  tax_paise: Paise
  description: string | null
  gross_paise: GeneratedAlways<Paise | null>
  deducted_paise: GeneratedAlways<Paise | null>
}

export type SettlementLineRow = Selectable<SettlementLineTable>

export interface SettlementEntryTable {
  id: GeneratedAlways<number>
  settlement: string
  number: number
  date: string
  created_at: Generated<Date>
}

export type SettlementEntryRow = Selectable<SettlementEntryTable>

export interface SettlementPostingTable {
  entry_id: number
  account: string
  paise: Paise
}

export type SettlementPostingRow = Selectable<SettlementPostingTable>

export interface SettlementDayTable {
  day: string
  read_at: Date
}

export type SettlementDayRow = Selectable<SettlementDayTable>

export interface SettlementUnpostedTable {
  settlement: string
  account: string
  paise: Paise
}

export type SettlementUnpostedRow = Selectable<SettlementUnpostedTable>

export interface SettlementsTables {
  settlement: SettlementTable
  settlement_line: SettlementLineTable
  settlement_entry: SettlementEntryTable
  settlement_posting: SettlementPostingTable
  settlement_day: SettlementDayTable
  settlement_unposted: SettlementUnpostedTable
}
declare module '@trainyard/platform/server/db/schema.ts' {
  interface Schema extends SettlementsTables {}
}
