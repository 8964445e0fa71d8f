import { balanceChange, type EntryKind } from '@trainyard/ledger/contract/entry.ts'
import type { OtherEntry } from '@trainyard/accounting/server/hooks.ts'
import { rupees } from './entries.ts'
import type { BookedEntry } from './queries.ts'

/**
 * Columns of TallyPrime's sample file Accounting Voucher that a voucher with ledger postings needs.
 * Source: https://help.tallysolutions.com/tally-prime/import-data/download-sample-excel-files-with-data-for-import/
 * (the column names are taken from public programs that write this file). Tally imports workbooks, so the CSV file must
 * be opened in a spreadsheet program and saved as a workbook.
 */
export const TALLY_HEAD = [
  'Voucher Date',
  'Voucher Type Name',
  'Voucher Number',
  'Ledger Name',
  'Ledger Amount',
  'Ledger Amount Dr/Cr',
  'Voucher Narration',
] as const

/** Accounts for corrections, which are neither sales nor receipts. */
const CORRECTIONS: Partial<Readonly<Record<EntryKind, string>>> = {
  'invoice reversal': 'Sales Reversals',
  'payment reversal': 'Receipt Reversals',
  'tds reversal': 'TDS Reversals',
  'write-off': 'Bad Debts Written Off',
}

/** Posting in paise. Positive amounts are debits. */
export type Posting = readonly [ledger: string, paise: number]

/** Returns the lines of an entry, the customer's line first. Debits and credits balance. */
export const tallyLines = (entry: BookedEntry): string[][] => linesOf({ ...entry, ...voucherOf(entry) })

export const tallySettlementLines = (entry: OtherEntry): string[][] =>
  linesOf({ ...entry, type: settlementVoucherType(entry) })

function linesOf({
  date,
  reference,
  particular,
  type,
  postings,
}: {
  readonly date: string
  readonly reference: string
  readonly particular: string
  readonly type: string
  readonly postings: readonly Posting[]
}): string[][] {
  return postings
    .filter(([, paise]) => paise !== 0)
    .map(([ledger, paise]) => [
      date.split('-').toReversed().join('-'),
      type,
      reference,
      ledger,
      rupees(Math.abs(paise)),
      paise > 0 ? 'Dr' : 'Cr',
      particular,
    ])
}

/** Returns the type and the postings of an entry's voucher. The customer's posting is first. */
export function voucherOf({ kind, amount, source, document, ledger: party }: BookedEntry): {
  readonly type: string
  readonly postings: readonly Posting[]
} {
  const money = source === 'provider' ? 'Payment Provider' : 'Bank'
  if (kind === 'invoice') {
    const type = document?.kind === 'debit note' ? 'Debit Note' : 'Sales'
    return { type, postings: salePostings(party, amount, document) }
  }
  if (kind === 'tds')
    return {
      type: 'Journal',
      postings: [
        [party, -amount],
        ['TDS Receivable', amount],
      ],
    }
  if (kind === 'invoice reversal' && document !== null)
    return { type: 'Journal', postings: salePostings(party, -amount, document, CORRECTIONS[kind]) }
  const correction = CORRECTIONS[kind]
  if (correction !== undefined) {
    const owed = balanceChange(kind, amount)
    return {
      type: 'Journal',
      postings: [
        [party, owed],
        [correction, -owed],
      ],
    }
  }
  if (kind === 'refund')
    return {
      type: 'Payment',
      postings: [
        [party, amount],
        [money, -amount],
      ],
    }
  if (source === 'issued') return { type: 'Credit Note', postings: salePostings(party, -amount, document) }
  // A negative payment is a refund from the time before the kind 'refund' existed.
  return {
    type: amount < 0 ? 'Payment' : 'Receipt',
    postings: [
      [party, -amount],
      [money, amount],
    ],
  }
}

/**
 * Returns the type of a settlement's voucher. If a change moves no money, for example a change of the fee, the voucher
 * is a journal.
 */
export function settlementVoucherType({ postings }: OtherEntry): string {
  const received = postings.find(([account]) => account === 'Bank')?.[1] ?? 0
  return received === 0 ? 'Journal' : received > 0 ? 'Receipt' : 'Payment'
}

/** Returns the postings of a sale, reversed for a negative amount. Without a document the tax is unknown. */
function salePostings(party: string, owed: number, document: BookedEntry['document'], sales = 'Sales'): Posting[] {
  if (document === null || document.kind === 'financial credit note')
    return [
      [party, owed],
      [document === null ? 'Sales' : 'Discount Allowed', -owed],
    ]
  const { taxablePaise, cgstPaise, sgstPaise, igstPaise, roundOffPaise } = document.totals
  const sign = Math.sign(owed)
  return [
    [party, owed],
    [sales, -sign * taxablePaise],
    ['Output CGST', -sign * cgstPaise],
    [`Output ${document.localTax}`, -sign * sgstPaise],
    ['Output IGST', -sign * igstPaise],
    ['Round Off', -sign * roundOffPaise],
  ]
}
