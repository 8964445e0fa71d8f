import { expect, test } from 'vitest'
import type { TaxDocument } from '../../contract/invoice.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { pdfAttachment, pdfDrawn } from '@trainyard/platform/test/pdf.ts'
import { customerNamed, SUPPLIER } from '../../test/tax-documents.ts'
import { creditNoteOf } from '../credit-note.ts'
import type { Customer } from '../customer.ts'
import { invoiceOf } from '../document.ts'
import { renderPdf } from './document.ts'

const NUMBERED = { number: 'INV/26-27/00001', date: '2026-11-02' }
const line = (machine: string, training: string, seconds: number, amountPaise: number) => ({
  machine,
  training,
  seconds,
  amountPaise,
})
const invoice = (
  billed: readonly (readonly [description: string, paise: number])[],
  lines: TaxDocument['lines'],
  { supplier = {}, ...customer }: Partial<Customer> & { readonly supplier?: Partial<typeof SUPPLIER> } = {},
) => ({
  ...invoiceOf(
    { ...SUPPLIER, ...supplier },
    customerNamed('o' as OrganisationId, 'Acme School', customer),
    '2026-02',
    billed.map(([description, taxablePaise]) => ({ description, taxablePaise })),
    lines,
    1800,
    NUMBERED.date,
  ),
  ...NUMBERED,
})

const local = invoice([['Labs', 100_003]], [line('vm-1', 'Labs', 5_400, 60_001), line('vm-2', 'Labs', 36, 40_002)], {
  gst: '29AABCR1718E1ZL',
  addressLine2: 'First floor',
})
const abroad = invoice([['Labs', 50_000]], [], {
  place: 'abroad',
  country: 'AE',
  state: null,
  pin: null,
  legalName: 'अकादमी FZ',
  supplier: {
    undertakings: [{ year: '26-27', number: 'AD290000000000X' }],
    bankName: null,
    email: null,
    phone: null,
    addressLine2: null,
  },
})
const sez = invoice([['Labs', 50_050]], [], { place: 'sez', gst: '29AABCR1718E1ZL', state: '27' })
const creditNote = {
  ...creditNoteOf(sez, [], [{ item: 1, paise: 10_011 }], 'Billed too much'),
  number: 'CRN/26-27/00001',
  date: '2026-11-03',
}
const receipt: TaxDocument = {
  ...local,
  kind: 'receipt voucher',
  number: 'RCV/26-27/00001',
  month: null,
  lines: [],
  of: { number: 'pay_1', date: '2026-11-01' },
}
const REGISTERED = {
  irn: 'f'.repeat(64),
  ackNumber: '112010036563310',
  ackDate: '2026-11-05 12:00',
  signedQr: 'A signed text',
}

/** A snapshot file lists the position, font and colour of each text on a page. */
test.each([
  ['invoice', local, null],
  ['registered', local, REGISTERED],
  ['abroad', abroad, null],
  ['credit-note', creditNote, null],
] as const)('renders the form and the pages of a document: %s', async (name, document, registered) => {
  const pdf = await renderPdf(document, registered)
  const texts = [await pdfAttachment(pdf, 'inv-01.json'), ...(await pdfDrawn(pdf))]
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(`test-pages/${name}.txt`)
})

test('renders a receipt voucher without form and bank account', async () => {
  const pdf = await renderPdf(receipt, null)
  expect([await renderPdf(local, null), pdf].map((each) => each.includes('inv-01.json'))).toEqual([true, false])
  await expect(`${(await pdfDrawn(pdf)).join('\n')}\n`).toMatchFileSnapshot('test-pages/receipt-voucher.txt')
})

/** The snapshots keep only bold texts, footers and the rows at page breaks. */
test.each([
  [26, 'close-on-next'],
  [27, 'totals-on-next'],
  [33, 'summary-on-next'],
  [80, 'items-over-pages'],
])('continues %i items on the next page: %s', async (count, name) => {
  const billed = Array.from({ length: count }, (_, index) => [`Labs ${index}`, 10_000] as const)
  const long = 'A training whose name is too long for one line of this table'
  const lines = billed.map((_, index) => line(`vm-${index}`, index === 1 ? long : 'Labs', 3_600, 10_000))
  const drawn = await pdfDrawn(await renderPdf(invoice(billed, lines), null))
  const selected = drawn.filter((each) => /^page|^line| bold | regular 7\.5 |Round off|too long|this table/.test(each))
  await expect(`${selected.join('\n')}\n`).toMatchFileSnapshot(`test-pages/${name}.txt`)
})
