import type { TaxDocument } from '../../contract/invoice.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import {
  describeItem,
  DOCUMENT_TITLES,
  type DocumentKind,
  isChargingDocument,
  isSupplyDocument,
  formatMonth,
  formatTaxRate,
} from '@trainyard/ledger/contract/tax-document.ts'
import { inv01 } from '../e-invoice/inv-01.ts'
import {
  createPaper,
  BOTTOM,
  formatDay,
  DIM,
  finishPaper,
  INK,
  MARGIN,
  mm,
  type Paper,
  rule,
  WIDTH,
} from '@trainyard/platform/server/pdf/paper.ts'
import { drawTable, type PaperColumn } from '@trainyard/platform/server/pdf/table.ts'
import { drawText } from '@trainyard/platform/server/pdf/text.ts'
import { encode } from 'uqr'

export interface Registration {
  readonly irn: string
  readonly ackNumber: string
  /** Date and time, such as 2026-11-03 10:00. */
  readonly ackDate: string
  readonly signedQr: string
}

type Item = TaxDocument['items'][number]

/** Head of a document that is not a tax document, such as a quote. */
export interface OfferHead {
  readonly title: string
  readonly notice: string
  readonly facts: readonly (readonly [string, string])[]
  /** True for a document with a request to pay. */
  readonly hasBank: boolean
}

/**
 * Renders a document. Equal content gives identical bytes.
 * @param cancelledOn day of the cancellation, YYYY-MM-DD; null for a valid document
 */
export async function renderPdf(
  document: TaxDocument,
  registered: Registration | null,
  offer: OfferHead | null = null,
  cancelledOn: string | null = null,
): Promise<Buffer> {
  const { kind, number, date, supplier } = document
  const title = offer?.title ?? DOCUMENT_TITLES[kind]
  const paper = await createPaper(`${title} ${number}`, supplier.legalName, date!, document)
  if (isSupplyDocument(kind) && offer === null) attachForm(paper, document)
  drawHead(paper, document, offer)
  if (cancelledOn !== null) drawCancellation(paper, cancelledOn)
  if (registered !== null) drawRegistration(paper, registered)
  drawParties(paper, document)
  drawItems(paper, document)
  drawTotals(paper, document)
  drawClose(paper, document, offer?.hasBank ?? isChargingDocument(kind))
  if (document.lines.length > 0) drawAnnex(paper, document)
  return finishPaper(
    paper,
    `${cancelledOn === null ? '' : `Cancelled on ${formatDay(cancelledOn)} · `}${title} ${number} of ${formatDay(date!)} · ${supplier.legalName} · GSTIN ${supplier.gstin}`,
  )
}

/** Attaches the form to the document. PDF/A-3 permits embedded files. */
function attachForm(paper: Paper, document: TaxDocument): void {
  const at = new Date(`${document.date}T00:00:00Z`)
  paper.file(Buffer.from(JSON.stringify(inv01(document), null, 2)), {
    name: 'inv-01.json',
    type: 'application/json',
    description: 'The document in the form of the e-invoice INV-01 1.1',
    relationship: 'Data',
    creationDate: at,
    modifiedDate: at,
  } as PDFKit.Mixins.PDFAttachmentOptions)
}

const AGAINST: Readonly<Record<DocumentKind, string>> = {
  invoice: 'Against',
  'credit note': 'Against invoice',
  'receipt voucher': 'For payment',
  'refund voucher': 'Against receipt',
  'financial credit note': 'Against invoice',
  'debit note': 'Against invoice',
}

function drawHead(
  paper: Paper,
  {
    kind,
    supplier,
    number,
    date,
    dueOn = null,
    customer: { purchaseOrder = null, costCentre = null },
    month,
    of,
    placeOfSupply,
    reason,
    supplyType,
    reverseCharge,
    endorsement,
  }: TaxDocument,
  offer: OfferHead | null,
): void {
  paper
    .font('bold')
    .fontSize(17)
    .text(offer?.title ?? DOCUMENT_TITLES[kind], MARGIN, MARGIN, { width: WIDTH / 2 })
  paper
    .font(offer === null ? 'regular' : 'bold')
    .fontSize(8)
    .fillColor(offer === null ? DIM : INK)
    .text(offer?.notice ?? 'Original for recipient', { width: WIDTH / 2 })
  paper.fillColor(INK)
  const left = MARGIN + WIDTH * 0.55
  const facts: (readonly [string, string])[] = [
    ['Number', number!],
    ['Date', formatDay(date!)],
    ...(offer?.facts ?? []),
    ...(dueOn === null ? [] : [['Due', formatDay(dueOn)] as const]),
    ...(purchaseOrder === null ? [] : [['Purchase order', purchaseOrder] as const]),
    ...(costCentre === null ? [] : [['Cost centre', costCentre] as const]),
    ...(of === null ? [] : [[AGAINST[kind], `${of.number} of ${formatDay(of.date)}`] as const]),
    ...(month === null ? [] : [['Period', formatMonth(month)] as const]),
    ['Place of supply', `${placeOfSupply.name} (${placeOfSupply.code})`],
    ['Supply', supplyType],
    ['Reverse charge', reverseCharge ? 'Yes' : 'No'],
    ...(reason === null ? [] : [['Reason', reason] as const]),
  ]
  let y = MARGIN
  paper.fontSize(8.5)
  for (const [name, value] of facts) {
    paper
      .font('regular')
      .fillColor(DIM)
      .text(name, left, y, { width: WIDTH * 0.17 })
    drawText(paper.fillColor(INK), 'bold', value, { x: left + WIDTH * 0.17, y, width: WIDTH * 0.28 })
    y = paper.y + 1.5
  }
  paper.fontSize(10)
  drawText(paper, 'bold', supplier.legalName, { x: MARGIN, y: MARGIN + mm(14), width: WIDTH * 0.5 })
  paper.font('regular').fontSize(8.5)
  for (const line of [
    ...addressLines(supplier.address),
    `GSTIN ${supplier.gstin}`,
    ...[supplier.cin].filter((cin) => typeof cin === 'string').map((cin) => `CIN ${cin}`),
    ...[supplier.email, supplier.phone].filter((text) => text !== null),
  ])
    drawText(paper, 'regular', line, { width: WIDTH * 0.5 })
  paper.x = MARGIN
  paper.y = Math.max(paper.y, y) + mm(3)
  if (endorsement !== null) {
    drawText(paper.fontSize(8), 'bold', endorsement, { x: MARGIN, width: WIDTH })
    paper.y += mm(2)
  }
  rule(paper, paper.y)
  paper.y += mm(3)
}

const CANCELLED = '#b42318'

function drawCancellation(paper: Paper, day: string): void {
  const top = paper.y
  paper.save().rect(MARGIN, top, WIDTH, mm(9)).fill(CANCELLED).restore()
  const text = `CANCELLED ON ${formatDay(day)}. THIS DOCUMENT IS NOT VALID.`
  paper
    .font('bold')
    .fontSize(10)
    .fillColor('#ffffff')
    .text(text, MARGIN, top + mm(2.7), { width: WIDTH, align: 'center', lineBreak: false })
  paper.fillColor(INK)
  paper.x = MARGIN
  paper.y = top + mm(12)
}

const QR_SIDE = mm(38)

function drawRegistration(paper: Paper, { irn, ackNumber, ackDate, signedQr }: Registration): void {
  const top = paper.y
  drawQr(paper, signedQr, MARGIN + WIDTH - QR_SIDE, top, QR_SIDE)
  paper.font('bold').fontSize(8).fillColor(INK).text('Registered with the e-invoice portal', MARGIN, top)
  paper.font('regular').text(`IRN ${irn}`, { width: WIDTH - QR_SIDE - mm(5) })
  paper.text(`Acknowledgement ${ackNumber} of ${ackDate}`, { width: WIDTH - QR_SIDE - mm(5) })
  paper.x = MARGIN
  paper.y = Math.max(paper.y, top + QR_SIDE) + mm(3)
  rule(paper, paper.y)
  paper.y += mm(3)
}

function drawParties(paper: Paper, { customer }: TaxDocument): void {
  paper.font('regular').fontSize(8).fillColor(DIM).text('Billed to', MARGIN, paper.y)
  drawText(paper.fontSize(10).fillColor(INK), 'bold', customer.legalName, { width: WIDTH })
  paper.font('regular').fontSize(8.5)
  for (const line of [
    ...addressLines(customer.address),
    customer.gstin === null ? 'GSTIN: not registered' : `GSTIN ${customer.gstin}`,
  ])
    drawText(paper, 'regular', line, { width: WIDTH })
  paper.y += mm(4)
}

function headsOf({ totals, localTax }: Pick<TaxDocument, 'totals' | 'localTax'>) {
  return [
    ...(totals.igstPaise > 0 ? [['IGST', 'igstPaise', 1] as const] : []),
    ...(totals.cgstPaise > 0 ? [['CGST', 'cgstPaise', 2] as const, [localTax, 'sgstPaise', 2] as const] : []),
  ]
}

const money = (paise: number): string => formatRupees(paise / 100)

const RATE: PaperColumn<TaxDocument['summary'][number]> = {
  head: 'Rate',
  part: 10,
  text: ({ rate }) => formatTaxRate(rate),
}

function drawItems(paper: Paper, document: TaxDocument): void {
  const { items, totals } = document
  const taxes = headsOf(document)
  const columns: PaperColumn<Item>[] = [
    { head: '#', part: 4, text: (_item, index) => String(index + 1) },
    { head: 'Description', part: 38, text: describeItem },
    { head: 'SAC', part: 9, text: ({ sac }) => sac },
    { head: 'Taxable value', part: 16, align: 'right', text: ({ taxablePaise }) => money(taxablePaise) },
    ...taxes.map(([name, field, parts]) => ({
      head: name,
      part: 16,
      align: 'right' as const,
      text: (item: Item) => `${money(item[field])} at ${formatTaxRate(item.rate / parts)}`,
    })),
    { head: 'Total', part: 16, align: 'right', text: ({ totalPaise }) => money(totalPaise) },
  ]
  drawTable(paper, columns, items, [
    '',
    'Sum',
    '',
    money(totals.taxablePaise),
    ...taxes.map(([, field]) => money(totals[field])),
    money(totals.totalPaise - totals.roundOffPaise),
  ])
  paper.y += mm(4)
  keepTogether(paper, mm(26))
  paper.font('bold').fontSize(8.5).text('Summary by SAC', MARGIN, paper.y)
  paper.y += mm(1)
  drawTable(
    paper,
    [
      { head: 'SAC', part: 10, text: ({ sac }) => sac },
      ...(taxes.length > 0 ? [RATE] : []),
      { head: 'Taxable value', part: 16, align: 'right', text: ({ taxablePaise }) => money(taxablePaise) },
      ...taxes.map(([name, field]) => ({
        head: name,
        part: 16,
        align: 'right' as const,
        text: (row: TaxDocument['summary'][number]) => money(row[field]),
      })),
    ],
    document.summary,
  )
}

function drawTotals(paper: Paper, { totals, words }: TaxDocument): void {
  keepTogether(paper, mm(26))
  const left = MARGIN + WIDTH * 0.55
  for (const [name, paise, face] of [
    ['Round off', totals.roundOffPaise, 'regular'],
    ['Total', totals.totalPaise, 'bold'],
  ] as const) {
    const { y } = paper
    paper.font(face).fontSize(face === 'bold' ? 11 : 8.5)
    paper.text(name, left, y, { width: WIDTH * 0.2 })
    paper.text(money(paise), left + WIDTH * 0.2, y, { width: WIDTH * 0.25, align: 'right' })
  }
  paper.font('regular').fontSize(8.5)
  paper.y += mm(2)
  paper.text(`In words: ${words}`, MARGIN, paper.y, { width: WIDTH })
  paper.y += mm(3)
}

function drawClose(paper: Paper, { supplier }: TaxDocument, hasBank: boolean): void {
  keepTogether(paper, mm(30))
  const top = paper.y
  if (supplier.bank !== null && hasBank) {
    const { bankName, accountName, accountNumber, ifsc } = supplier.bank
    paper.font('bold').text('Pay to', MARGIN, top)
    paper.font('regular')
    for (const line of [accountName, `Account ${accountNumber}`, `${bankName}, IFSC ${ifsc}`])
      drawText(paper, 'regular', line, { width: WIDTH * 0.5 })
  }
  const left = MARGIN + WIDTH * 0.55
  drawText(paper, 'regular', `For ${supplier.legalName}`, { x: left, y: top, width: WIDTH * 0.45, align: 'right' })
  paper.y += mm(8)
  drawText(paper, 'regular', supplier.signatory, { x: left, width: WIDTH * 0.45, align: 'right' })
  paper.fillColor(DIM).text('Authorised signatory', { width: WIDTH * 0.45, align: 'right' })
  paper.fillColor(INK)
}

type Line = TaxDocument['lines'][number]

function drawAnnex(paper: Paper, { lines, number }: TaxDocument): void {
  const hasLearners = lines.some(({ learner }) => learner !== undefined)
  paper.addPage()
  paper.font('bold').fontSize(11).text(`Usage details of ${number}`, MARGIN, MARGIN)
  paper.font('regular').fontSize(8).fillColor(DIM).text('Amounts before tax, one line per machine.', { width: WIDTH })
  paper.fillColor(INK)
  paper.y += mm(3)
  drawTable(
    paper,
    [
      { head: 'Machine', part: 30, text: ({ machine }) => machine },
      ...(hasLearners ? [{ head: 'Learner', part: 28, text: (line: Line) => line.learner ?? '' }] : []),
      { head: 'Training', part: hasLearners ? 28 : 40, text: ({ training }) => training },
      { head: 'Hours', part: 12, align: 'right', text: ({ seconds }) => (seconds / 3600).toFixed(2) },
      { head: 'Amount', part: 18, align: 'right', text: ({ amountPaise }) => money(amountPaise) },
    ],
    lines,
    ['Sum', '', ...(hasLearners ? [''] : []), '', money(lines.reduce((sum, { amountPaise }) => sum + amountPaise, 0))],
  )
}

function keepTogether(paper: Paper, height: number): void {
  if (paper.y + height <= BOTTOM) return
  paper.addPage()
  paper.y = MARGIN
}

const countries = new Intl.DisplayNames('en-IN', { type: 'region' })

const addressLines = ({ line1, line2, city, pin, state, country }: TaxDocument['customer']['address']): string[] => [
  [line1, line2].filter((part) => part !== null).join(', '),
  country === null
    ? `${city} ${pin ?? ''}, ${state.name} (${state.code})`
    : `${city}, ${countries.of(country) ?? country} (${state.name}, ${state.code})`,
]

function drawQr(paper: Paper, text: string, x: number, y: number, side: number): void {
  const { data, size } = encode(text, { ecc: 'L', border: 2 })
  const module = side / size
  paper.save().rect(x, y, side, side).fill('#ffffff')
  data.forEach((row, down) =>
    row.forEach((dark, across) => {
      // Modules are slightly wider, so that no gaps show between them.
      if (dark) paper.rect(x + across * module, y + down * module, module + 0.02, module + 0.02)
    }),
  )
  paper.fill('#000000').restore()
}
