import { Ajv } from 'ajv'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import type { EntryKind } from '@trainyard/ledger/contract/entry.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { addCustomer, ADDRESS, addRuns, SETTINGS, setClock } from '@trainyard/invoices/test/invoicing.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { customerNamed, SUPPLIER } from '@trainyard/invoices/test/tax-documents.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { creditNoteOf, financialCreditNoteOf } from '@trainyard/invoices/server/credit-note.ts'
import type { Customer } from '@trainyard/invoices/server/customer.ts'
import { invoiceOf } from '@trainyard/invoices/server/document.ts'
import { receiptVoucherOf } from '@trainyard/invoices/server/voucher.ts'
import { advancesIn } from './advances.ts'
import { gstr1Of, type ReturnContent, totalsOf } from './gstr-1.ts'
import type { AdvanceEntry } from './queries.ts'

const schema: object = JSON.parse(await readFile(new URL('../../test/gstr-1.schema.json', import.meta.url), 'utf8'))
const validate = new Ajv({ allErrors: true, multipleOfPrecision: 6 }).compile(schema)

const GST = '29AABCR1718E1ZL'
const WITH_LUT = { ...SUPPLIER, undertakings: [{ year: '26-27', number: 'AD290326000001A' }] }
const customer = (more: Partial<Customer>) => customerNamed('x' as OrganisationId, 'Customer', more)
let serial = 0
const numbered = (document: TaxDocument, date: string): TaxDocument => ({
  ...document,
  number: `${document.kind === 'invoice' ? 'INV' : 'CRN'}/26-27/${String(++serial).padStart(5, '0')}`,
  date,
})
const invoiced = (
  more: Partial<Customer>,
  rupees: number,
  { supplier = SUPPLIER, date = '2026-11-05', rate = 1_800 } = {},
): TaxDocument => {
  const billed = [{ description: 'Labs', taxablePaise: rupees * 100 }]
  return numbered(invoiceOf(supplier, customer(more), '2026-10', billed, [], rate, date), date)
}
const credited = (invoice: TaxDocument, rupees: number): TaxDocument =>
  numbered(creditNoteOf(invoice, [], [{ item: 1, paise: rupees * 100 }], 'Too much'), '2026-11-20')
const fileOf = (content: Partial<ReturnContent>) => {
  const file = gstr1Of({
    gstin: SUPPLIER.gstin,
    month: '2026-11',
    documents: [],
    received: [],
    adjusted: [],
    series: [],
    ...content,
  })
  validate(file)
  expect(validate.errors ?? []).toEqual([])
  return file
}
const only = (document: TaxDocument, original: TaxDocument | null = null) =>
  fileOf({ documents: [{ document, original }] })

describe('GSTR-1', () => {
  const abroad = { place: 'abroad' as const, country: 'AE', state: null, pin: null }
  const zone = { place: 'sez' as const, gst: GST }
  const other = { state: '33' }

  test('lists each kind of supply in its table', () => {
    const local = only(invoiced({ gst: GST }, 100))
    expect(local.b2b?.[0]).toMatchObject({
      ctin: GST,
      inv: [
        {
          idt: '05-11-2026',
          val: 118,
          pos: '29',
          inv_typ: 'R',
          itms: [{ num: 1, itm_det: { rt: 18, txval: 100, camt: 9, samt: 9, csamt: 0 } }],
        },
      ],
    })
    const types = [invoiced(zone, 100), invoiced(zone, 100, { supplier: WITH_LUT })].map(
      (each) => only(each).b2b?.[0]?.inv[0],
    )
    expect(types.map((each) => [each?.inv_typ, each?.itms[0]?.itm_det])).toEqual([
      ['SEWP', { rt: 18, txval: 100, iamt: 18, csamt: 0 }],
      ['SEWOP', { rt: 0, txval: 100, iamt: 0, csamt: 0 }],
    ])
    const exports = [invoiced(abroad, 100), invoiced(abroad, 100, { supplier: WITH_LUT })].map(
      (each) => only(each).exp?.[0],
    )
    expect(exports.map((each) => [each?.exp_typ, each?.inv[0]?.itms])).toEqual([
      ['WPAY', [{ rt: 18, txval: 100, iamt: 18, csamt: 0 }]],
      ['WOPAY', [{ rt: 0, txval: 100, iamt: 0, csamt: 0 }]],
    ])
  })

  test('lists large supplies to unregistered recipients in other states individually', () => {
    const at = (rupees: number, date: string) => Object.keys(only(invoiced(other, rupees, { date, rate: 0 })))
    expect(at(100_000, '2026-11-05')).toContain('b2cs')
    expect(at(100_001, '2026-11-05')).toContain('b2cl')
    expect(at(250_000, '2024-07-31')).toContain('b2cs')
    expect(at(250_001, '2024-07-31')).toContain('b2cl')
    expect(Object.keys(only(invoiced({}, 900_000)))).toContain('b2cs')
  })

  test('lists credit notes in the table of their invoice, and omits financial credit notes', () => {
    const note = (more: Partial<Customer>, rupees: number, options = {}) => {
      const invoice = invoiced(more, rupees, options)
      return only(credited(invoice, 10), invoice)
    }
    expect(note({ gst: GST }, 100).cdnr?.[0]?.nt[0]).toMatchObject({ ntty: 'C', val: 11.8, inv_typ: 'R', pos: '29' })
    expect(note(zone, 100, { supplier: WITH_LUT }).cdnr?.[0]?.nt[0]).toMatchObject({ inv_typ: 'SEWOP', val: 10 })
    expect(note(abroad, 100).cdnur?.[0]).toMatchObject({ typ: 'EXPWP', val: 11.8 })
    expect(note(other, 200_000).cdnur?.[0]).toMatchObject({ typ: 'B2CL', pos: '33' })
    expect(note(other, 100).b2cs).toEqual([
      { sply_ty: 'INTER', pos: '33', typ: 'OE', rt: 18, txval: -10, iamt: -1.8, csamt: 0 },
    ])
    const invoice = invoiced({ gst: GST }, 100)
    const financial = financialCreditNoteOf(invoice, [], [{ item: 1, paise: 10_00 }], 'Late')
    expect(Object.keys(only(numbered(financial, '2026-12-01'), invoice))).toEqual(['gstin', 'fp', 'version', 'hash'])
  })

  test('adds up services by recipient and rate, and counts documents by series', () => {
    const file = fileOf({
      documents: [
        invoiced({ gst: GST }, 100),
        invoiced({ gst: GST }, 50, { rate: 500 }),
        invoiced(other, 30),
        invoiced(abroad, 7, { supplier: WITH_LUT }),
      ].map((document) => ({ document, original: null })),
      series: [
        { kind: 'invoice', from: 'INV/26-27/00007', to: 'INV/26-27/00010', count: 4, cancelled: 1 },
        { kind: 'financial credit note', from: 'FCN/26-27/00001', to: 'FCN/26-27/00001', count: 1, cancelled: 0 },
        { kind: 'refund voucher', from: 'RFV/26-27/00001', to: 'RFV/26-27/00001', count: 1, cancelled: 0 },
      ],
    })
    expect(file.fp).toBe('112026')
    const line = { hsn_sc: '998315', uqc: 'NA', qty: 0, csamt: 0 }
    expect(file.hsn).toEqual({
      hsn_b2b: [
        { ...line, num: 1, rt: 5, txval: 50, iamt: 0, camt: 1.25, samt: 1.25 },
        { ...line, num: 2, rt: 18, txval: 100, iamt: 0, camt: 9, samt: 9 },
      ],
      hsn_b2c: [
        { ...line, num: 1, rt: 0, txval: 7, iamt: 0, camt: 0, samt: 0 },
        { ...line, num: 2, rt: 18, txval: 30, iamt: 5.4, camt: 0, samt: 0 },
      ],
    })
    expect(file.doc_issue?.doc_det.map(({ doc_num, docs }) => [doc_num, docs[0]?.net_issue])).toEqual([
      [1, 3],
      [8, 1],
    ])
    const before = gstr1Of({
      gstin: SUPPLIER.gstin,
      month: '2025-04',
      documents: [{ document: invoiced({ gst: GST }, 100), original: null }],
      received: [],
      adjusted: [],
      series: [],
    })
    expect(Object.keys(before.hsn!)).toEqual(['data'])
  })
})

describe('advances', () => {
  const entry = (kind: EntryKind, reference: string, date: string, rupees: number, of: string | null = null) => {
    const voucher =
      kind === 'payment' && reference.startsWith('V')
        ? receiptVoucherOf(SUPPLIER, customer({ state: '33' }), { number: reference, date }, paise(rupees * 100), 1_800)
        : null
    return { organisation: 'one', kind, reference, of, date, amount: rupees * 100, voucher } satisfies AdvanceEntry
  }
  const sums = (month: string, entries: AdvanceEntry[]) => {
    const { received, adjusted } = advancesIn(month, entries)
    const sum = (all: typeof received) => all.reduce((total, { taxablePaise }) => total + taxablePaise, 0) / 100
    return [sum(received), sum(adjusted)]
  }

  test('belong to the month of their payment, minus the amount used up in the same month', () => {
    const entries = [
      entry('payment', 'V1', '2026-10-05', 1_180),
      entry('invoice', 'A', '2026-10-20', 118),
      entry('invoice', 'B', '2026-11-05', 590),
      entry('payment', 'V2', '2026-11-10', 118),
      entry('refund', 'R', '2026-12-01', 236, 'V1'),
      entry('invoice', 'C', '2026-12-02', 1_000),
    ]
    expect(['2026-09', '2026-10', '2026-11', '2026-12'].map((month) => sums(month, entries))).toEqual([
      [0, 0],
      [900, 0],
      [100, 500],
      [0, 500],
    ])
    const [{ received }, files] = [
      advancesIn('2026-10', entries),
      ['2026-10', '2026-12'].map((month) => fileOf({ month, ...advancesIn(month, entries) })),
    ]
    expect(received).toHaveLength(2)
    expect(files.map(({ at, txpd }) => at ?? txpd)).toEqual([
      [{ pos: '33', sply_ty: 'INTER', itms: [{ rt: 18, ad_amt: 900, iamt: 162, csamt: 0 }] }],
      [{ pos: '33', sply_ty: 'INTER', itms: [{ rt: 18, ad_amt: 500, iamt: 90, csamt: 0 }] }],
    ])
  })

  test('that exceed their voucher after a cancellation are reported in the month of the payment', () => {
    const paid = entry('payment', 'V1', '2026-10-05', 118)
    const entries = [entry('invoice', 'A', '2026-10-01', 100), { ...paid, amount: 218_00 }]
    const excess = (month: string, of: AdvanceEntry[]) =>
      advancesIn(month, of).withoutTax.map(({ payment, paise: left }) => [payment, left])
    expect(excess('2026-10', entries)).toEqual([])
    expect(excess('2026-10', entries.slice(1))).toEqual([['V1', 100_00]])
    expect(excess('2026-11', entries.slice(1))).toEqual([])
  })

  test('without a voucher are not listed; neither are debts', () => {
    const entries = [
      entry('invoice', 'A', '2026-10-01', 100),
      entry('payment', 'P', '2026-10-05', 300),
      entry('invoice', 'B', '2026-10-20', 118),
    ]
    expect(sums('2026-10', entries)).toEqual([0, 0])
  })
})

describe('the GST return', () => {
  let portal: Awaited<ReturnType<typeof sharedPortal>>
  // oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
  const send = async (method: string, path: string, body?: unknown): Promise<any> => {
    const uid = await portal.sessionOf(PEOPLE.superadmin)
    return (await portal.request(method, path, { uid, body })).json()
  }

  beforeAll(async () => {
    portal = await sharedPortal()
    await createSubjects(portal)
    await setClock(portal, '2031-11-05T06:00:00Z')
    await send('PATCH', '/admin/supplier', { ...SETTINGS, invoicePrefix: 'RTN', creditNotePrefix: 'RTC' })
  })

  test('of a month agrees with the ledger, and lists the entries that explain differences', async () => {
    const name = 'Returned Customer'
    const added = await addCustomer(portal, name, 1, { ...ADDRESS, gst: GST })
    await addRuns(portal, added, '2031-10-05T04:00:00Z', '2031-10-05T14:00:00Z')
    const { digest } = await send('GET', `/admin/invoices/draft?organization=${name}&month=2031-10`)
    const { number } = await send('POST', '/admin/invoices', { organization: name, month: '2031-10', digest })
    await send('POST', '/admin/invoice/credit', { number, reason: 'Part', items: [{ item: 1, amount: 25 }] })
    const typed = { organization: name, type: 'invoice', id: 'TYPED-1', amount: 40, date: '2031-11-03' }
    await send('POST', '/admin/ledger/addTransaction', typed)
    const taxed = { ...typed, amount: 59, tax: { taxable: 50 } }
    for (const id of ['TYPED/2', 'TYPED/3']) await send('POST', '/admin/ledger/addTransaction', { ...taxed, id })
    const correction = { organization: name, kind: 'invoice', reason: 'Entered twice', date: '2031-11-04' }
    await send('POST', '/admin/ledger/reverse', { ...correction, id: 'TYPED/3' })
    const refusals = [{ id: 'TYPED 4' }, { amount: 61 }, { type: 'payment' }].map((more) =>
      send('POST', '/admin/ledger/addTransaction', { ...taxed, id: 'TYPED-4', ...more }),
    )
    expect((await Promise.all(refusals)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^With tax, the invoice ID must be/),
      '₹50.00 before tax is ₹59.00 with tax, but the amount is ₹61.00. Correct one of them.',
      'The request tax applies to invoices only.',
    ])
    const shown = await send('GET', '/admin/gstr-1?month=2031-11')
    expect(shown.tables).toEqual([
      { table: 'b2b', rows: 2, taxablePaise: 175_00, cgstPaise: 15_75, sgstPaise: 15_75, igstPaise: 0 },
      { table: 'cdnr', rows: 1, taxablePaise: -25_00, cgstPaise: -2_25, sgstPaise: -2_25, igstPaise: 0 },
    ])
    expect(shown.accounts).toEqual([
      { account: 'Sales', returnPaise: 150_00, ledgerPaise: 240_00, listedPaise: 90_00 },
      { account: 'Output CGST', returnPaise: 13_50, ledgerPaise: 13_50, listedPaise: 0 },
      { account: 'Output SGST and UTGST', returnPaise: 13_50, ledgerPaise: 13_50, listedPaise: 0 },
      { account: 'Output IGST', returnPaise: 0, ledgerPaise: 0, listedPaise: 0 },
    ])
    expect(shown.entries).toEqual([
      {
        number: 'TYPED-1',
        organization: name,
        date: '2031-11-03',
        totalPaise: 40_00,
        reason: 'Manually entered invoice. The portal does not know the tax: add the invoice to the return.',
      },
      {
        number: 'TYPED/3',
        organization: name,
        date: '2031-11-03',
        totalPaise: 59_00,
        reason: 'Manually entered invoice that is reversed. It is not in the return.',
      },
      {
        number: 'Reversal of TYPED/3',
        organization: name,
        date: '2031-11-04',
        totalPaise: -59_00,
        reason: 'Reversal of a manually entered invoice. Correct the return if it contained the invoice.',
      },
    ])
    const period = { from: '2031-11-01', to: '2031-11-30', organization: name, books: 'tally' }
    const linesOf = async (what: string) => {
      const uid = await portal.sessionOf(PEOPLE.superadmin)
      const exported = await portal.request('POST', '/admin/ledger/export', { uid, body: { what, ...period } })
      return (await exported.text()).split('\r\n').map((line) => line.split(',').slice(1, 6))
    }
    const books = [...(await linesOf('invoices')), ...(await linesOf('corrections'))]
    expect(books.filter(([, number]) => number === 'TYPED/2' || number === 'Reversal of TYPED/3')).toEqual([
      ['Sales', 'TYPED/2', name, '59.00', 'Dr'],
      ['Sales', 'TYPED/2', 'Sales', '50.00', 'Cr'],
      ['Sales', 'TYPED/2', 'Output CGST', '4.50', 'Cr'],
      ['Sales', 'TYPED/2', 'Output SGST', '4.50', 'Cr'],
      ['Journal', 'Reversal of TYPED/3', name, '59.00', 'Cr'],
      ['Journal', 'Reversal of TYPED/3', 'Sales Reversals', '50.00', 'Dr'],
      ['Journal', 'Reversal of TYPED/3', 'Output CGST', '4.50', 'Dr'],
      ['Journal', 'Reversal of TYPED/3', 'Output SGST', '4.50', 'Dr'],
    ])
    const file = await send('POST', '/admin/gstr-1/json', { month: '2031-11' })
    validate(file)
    expect(validate.errors ?? []).toEqual([])
    expect(totalsOf(file).filter(({ rows }) => rows > 0)).toEqual(shown.tables)
    const { document } = await send('GET', `/admin/invoice?number=${encodeURIComponent(number)}`)
    expect(file.b2b[0].inv).toMatchObject([
      { inum: 'TYPED/2', val: 59, pos: '29', itms: [{ itm_det: { rt: 18, txval: 50, camt: 4.5, samt: 4.5 } }] },
      { inum: number, val: document.totals.totalPaise / 100 },
    ])
    expect(file.doc_issue.doc_det.map((each: { doc_num: number }) => each.doc_num)).toEqual([1, 5])
  })
})
