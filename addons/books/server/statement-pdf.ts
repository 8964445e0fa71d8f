import type { AccountStatement } from '../contract/books.ts'
import type { SupplierSettings } from '@trainyard/invoices/contract/supplier.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { createPaper, formatDay, finishPaper, mm, type Paper } from '@trainyard/platform/server/pdf/paper.ts'
import { drawTable } from '@trainyard/platform/server/pdf/table.ts'
import { drawFacts, fromSupplier } from './facts-pdf.ts'

type Entry = AccountStatement['entries'][number]

/** Returns the PDF. The same content on the same day produces identical bytes. */
export async function statementPdf(
  statement: AccountStatement,
  supplier: SupplierSettings,
  today: string,
): Promise<Buffer> {
  const { organization, from, to, entries, openingPaise, closingPaise } = statement
  const title = `Statement of ${organization}, ${formatDay(from)} to ${formatDay(to)}`
  const paper = await createPaper(title, supplier.legalName ?? 'Trainyard', today, [statement, supplier])
  drawHead(paper, statement, supplier, today)
  drawTable<Entry>(
    paper,
    [
      { head: 'Date', part: 11, text: ({ date }) => formatDay(date) },
      { head: 'Particular', part: 33, text: ({ particular }) => particular },
      { head: 'ID', part: 20, text: ({ id }) => id },
      { head: 'Owed', part: 13, align: 'right', text: ({ owedPaise }) => (owedPaise > 0 ? money(owedPaise) : '') },
      { head: 'Settled', part: 13, align: 'right', text: ({ owedPaise }) => (owedPaise < 0 ? money(-owedPaise) : '') },
      { head: 'Balance', part: 14, align: 'right', text: ({ balancePaise }) => money(balancePaise) },
    ],
    entries,
    ['', 'Closing balance', '', money(total(entries, 1)), money(total(entries, -1)), money(closingPaise)],
  )
  drawSums(paper, statement)
  return finishPaper(paper, `${title} · opening balance ${money(openingPaise)}, closing balance ${money(closingPaise)}`)
}

const total = (entries: readonly Entry[], sign: 1 | -1): number =>
  entries.reduce((sum, { owedPaise }) => sum + Math.max(0, sign * owedPaise), 0)

function drawHead(
  paper: Paper,
  { legalName, gst, from, to, openingPaise, closingPaise }: AccountStatement,
  supplier: SupplierSettings,
  today: string,
): void {
  drawFacts(paper, 'Statement of Account', [
    ['Account of', legalName],
    ['GST number', gst ?? 'none on record'],
    ...fromSupplier(supplier),
    ['Period', `${formatDay(from)} to ${formatDay(to)}`],
    ['Statement date', formatDay(today)],
    ['Opening balance', formatBalance(openingPaise)],
    ['Closing balance', formatBalance(closingPaise)],
  ])
}

function drawSums(paper: Paper, { sums, openingPaise, closingPaise }: AccountStatement): void {
  paper.y += mm(4)
  const rows = [
    { name: 'Opening balance', paise: openingPaise },
    { name: 'Invoices', paise: sums.invoices },
    { name: 'Credit notes', paise: -sums.creditNotes },
    { name: 'Payments', paise: -sums.payments },
    { name: 'Tax deducted at source (TDS)', paise: -sums.tds },
    { name: 'Refunds', paise: sums.refunds },
    ...(sums.reversals === 0 ? [] : [{ name: 'Reversals', paise: sums.reversals }]),
    ...(sums.writeOffs === 0 ? [] : [{ name: 'Write-offs', paise: -sums.writeOffs }]),
  ]
  drawTable(
    paper,
    [
      { head: 'Summary', part: 70, text: ({ name }) => name },
      { head: 'Amount', part: 30, align: 'right', text: ({ paise }) => money(paise) },
    ],
    rows,
    ['Closing balance', money(closingPaise)],
  )
}

// Adding 0 turns -0 into 0, which would be formatted with a minus sign.
const money = (paise: number): string => formatRupees((paise + 0) / 100)

const formatBalance = (paise: number): string =>
  paise < 0 ? `${money(-paise)} paid ahead` : paise === 0 ? 'settled' : `${money(paise)} to be paid`
