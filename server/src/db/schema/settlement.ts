import type { Paise } from '@trainyard/contract/words/money.ts'
import type { Immutable, ReadOnly } from './columns.ts'

/** Payout of the payment provider to the supplier's bank account. */
export interface SettlementTable {
  id: Immutable<string>
  /** Reference of the bank transfer. */
  utr: string | null
  settled_at: Immutable<Date>
}

/** Payment, refund or adjustment of a settlement, as the provider last reported it. */
export interface SettlementLineTable {
  id: Immutable<string>
  type: string
  settlement: string
  currency: string
  amount_paise: Paise
  credit_paise: Paise
  debit_paise: Paise
  /** Fee including the tax. */
  fee_paise: Paise
  tax_paise: Paise
  description: string | null
  /** Change of the provider's balance before the fee; null if the amounts do not add up. */
  gross_paise: ReadOnly<Paise | null>
  /** Fee that was deducted from this line, including the tax; null if the amounts do not add up. */
  deducted_paise: ReadOnly<Paise | null>
}

/**
 * Ledger entry that posts a settlement or a later change of its lines. Only the function `post_settlement` writes
 * entries.
 */
export interface SettlementEntryTable {
  id: ReadOnly<number>
  settlement: ReadOnly<string>
  number: ReadOnly<number>
  date: ReadOnly<string>
  created_at: ReadOnly<Date>
}

export interface SettlementPostingTable {
  entry_id: ReadOnly<number>
  account: ReadOnly<string>
  /** Positive for a debit. */
  paise: ReadOnly<number>
}

/** Day in India whose settlements were read. */
export interface SettlementDayTable {
  day: Immutable<string>
  read_at: Date
}
