import { type BookedEntry, rupees } from './entries.ts'

/**
 * The columns of TallyPrime's sample file Accounting Voucher that a voucher of ledgers alone needs.
 * Source: https://help.tallysolutions.com/tally-prime/import-data/download-sample-excel-files-with-data-for-import/
 * (the names of its columns as public programs that write it have them). It takes workbooks: the file is opened in a
 * spreadsheet and saved as one.
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

/** A ledger's paise: above zero it is debited, below zero credited. */
type Posting = readonly [ledger: string, paise: number]

/** Returns an entry as the lines of one voucher, which balance: a line a ledger, the customer's first. */
export function tallyLines(entry: BookedEntry): string[][] {
  const { date, reference, particular } = entry
  const { type, postings } = voucherOf(entry)
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

function voucherOf({ kind, amount, source, document, customer }: BookedEntry): {
  readonly type: string
  readonly postings: readonly Posting[]
} {
  const party = document?.customer.legalName ?? customer.name
  if (kind === 'invoice') return { type: 'Sales', postings: sold(party, amount, document) }
  if (kind === 'tds')
    return {
      type: 'Journal',
      postings: [
        [party, -amount],
        ['TDS Receivable', amount],
      ],
    }
  if (kind === 'refund')
    return {
      type: 'Payment',
      postings: [
        [party, amount],
        ['Bank', -amount],
      ],
    }
  if (source === 'issued') return { type: 'Credit Note', postings: sold(party, -amount, document) }
  // Below zero: money paid back before refunds had a kind of their own.
  return {
    type: amount < 0 ? 'Payment' : 'Receipt',
    postings: [
      [party, -amount],
      ['Bank', amount],
    ],
  }
}

/** The ledgers of a sale; below zero: of one that is taken back. What was typed by hand has no tax that we know of. */
function sold(party: string, owed: number, document: BookedEntry['document']): Posting[] {
  if (document === null)
    return [
      [party, owed],
      ['Sales', -owed],
    ]
  const { taxablePaise, cgstPaise, sgstPaise, igstPaise, roundOffPaise } = document.totals
  const sign = Math.sign(owed)
  return [
    [party, owed],
    ['Sales', -sign * taxablePaise],
    ['Output CGST', -sign * cgstPaise],
    [`Output ${document.localTax}`, -sign * sgstPaise],
    ['Output IGST', -sign * igstPaise],
    ['Round Off', -sign * roundOffPaise],
  ]
}
