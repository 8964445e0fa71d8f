/** @module-tag full */
import { beforeAll, describe, expect, test } from 'vitest'
import type { TaxDocument } from '../contract/invoice.ts'
import { taxCreditUntil } from '@trainyard/ledger/contract/tax-document.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { addCustomer, ADDRESS, addRuns, SETTINGS, setClock, type TestCustomer } from '../test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { issueDueVouchers } from './vouchers.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const { db } = portal.app
const jobs = { enqueue: async () => {} }

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const reply = await portal.request(method, path, { uid, body })
  const isFile = reply.headers.get('content-type') === 'application/pdf'
  return { status: reply.status, body: isFile ? Buffer.from(await reply.arrayBuffer()) : await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const settings = async (changes: object) => {
  const reply = await send('PATCH', '/admin/supplier', changes)
  expect([reply.status, reply.body.message]).toEqual([200, 'Supplier settings saved.'])
}
const draft = async (organization: string, month: string): Promise<TaxDocument> =>
  (await send('GET', at('/admin/invoices/draft', { organization, month }))).body.document
async function issue(organization: string, month: string): Promise<string> {
  const { digest } = (await send('GET', at('/admin/invoices/draft', { organization, month }))).body
  return (await send('POST', '/admin/invoices', { organization, month, digest })).body.number
}
const credit = (number: string, amount: number) =>
  send('POST', '/admin/invoice/credit', { number, reason: 'Not used', items: [{ item: 1, amount }] })
const read = async (number: string): Promise<Body> => (await send('GET', at('/admin/invoice', { number }))).body
const figuresOf = ({ items }: TaxDocument) =>
  items.map(({ rate, taxablePaise, igstPaise }) => [rate, taxablePaise, igstPaise])

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  await settings(SETTINGS)
})

describe('an undertaking (LUT)', () => {
  test('frees exports and supplies to SEZ in its financial year only', async () => {
    const zone = await addCustomer(portal, 'Yearly Zone', 1, { ...ADDRESS, place: 'sez', gst: '29AABCR1718E1ZL' })
    await addRuns(portal, zone, '2027-03-05T04:00:00Z', '2027-03-05T14:00:00Z')
    await settings({ undertakings: [{ year: '25-26', number: 'OLD' }] })
    await setClock(portal, '2027-04-02T06:00:00Z')
    expect(await draft(zone.name, '2027-03')).toMatchObject({
      supplyType: 'SEZWP',
      totals: { igstPaise: 2_250 },
      endorsement: 'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX',
    })
    await settings({ undertakings: [{ year: '26-27', number: 'AD1' }] })
    expect((await draft(zone.name, '2027-03')).supplyType).toBe('SEZWP')
    await settings({
      undertakings: [
        { year: '26-27', number: 'AD1' },
        { year: '27-28', number: 'AD2' },
      ],
    })
    expect(await draft(zone.name, '2027-03')).toMatchObject({
      supplyType: 'SEZWOP',
      totals: { igstPaise: 0 },
      endorsement: expect.stringContaining('(AD2)') as string,
    })
    const twice = { year: '26-27', number: 'AD3' }
    expect(await send('PATCH', '/admin/supplier', { undertakings: [twice, twice] })).toMatchObject({ status: 400 })
    await settings({ undertakings: [] })
    await setClock(portal, '2026-11-05T06:00:00Z')
  })
})

/** 18% until 15 October 2026, then 12%. */
const CHANGED = {
  rates: [
    { from: '2017-07-01', basisPoints: 1_800 },
    { from: '2026-10-16', basisPoints: 1_200 },
  ],
}
const pay = (
  customer: TestCustomer,
  reference: string,
  rupees: number,
  date: string,
  kind: 'payment' | 'refund' = 'payment',
) =>
  db.transaction().execute((tx) =>
    addEntry(tx, {
      organisation: customer.id,
      kind,
      reference,
      ...(kind === 'refund' && { refundOf: 'A' }),
      particular: reference,
      amount: paise(rupees * 100),
      date,
      source: 'manual',
      by: 'test',
    }),
  )

describe('a change of the rate', () => {
  /** Creates usage of ₹100 before the change and ₹150 after it, and pays. */
  async function used(name: string, payments: readonly (readonly [rupees: number, date: string])[]) {
    const customer = await addCustomer(portal, name, 1, { ...ADDRESS, state: '33' })
    await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T12:00:00Z')
    await addRuns(portal, customer, '2026-10-20T04:00:00Z', '2026-10-20T16:00:00Z')
    for (const [index, [rupees, date]] of payments.entries()) await pay(customer, `${name} ${index}`, rupees, date)
    return customer
  }
  const OLD_NEW = [
    [1_800, 10_000, 1_800],
    [1_200, 15_000, 1_800],
  ]
  const ALL_NEW = [[1_200, 25_000, 3_000]]

  /**
   * By section 14 of the CGST Act, the old rate applies if two of supply, invoice and payment are before the change.
   */
  test.each([
    ['unpaid', [], ALL_NEW],
    ['paid after the change', [[1_000, '2026-10-16']], ALL_NEW],
    ['paid before the change', [[1_000, '2026-10-15']], OLD_NEW],
    ['paid before the change by exactly the usage before it', [[118, '2026-10-01']], OLD_NEW],
    [
      'paid before the change in part',
      [[59, '2026-10-01']],
      [
        [1_800, 5_000, 900],
        [1_200, 20_000, 2_400],
      ],
    ],
  ] as const)('invoices usage that was %s', async (name, payments, figures) => {
    await settings(CHANGED)
    const customer = await used(name, payments)
    const document = await draft(customer.name, '2026-10')
    expect(figuresOf(document)).toEqual(figures)
    expect(new Set(document.items.map(({ description }) => description)).size).toBe(document.items.length)
    await issue(customer.name, '2026-10')
  })

  test('uses an advance once, and not after its refund', async () => {
    await settings(CHANGED)
    const customer = await used('Spent Once', [])
    await pay(customer, 'A', 200, '2026-10-01')
    await pay(customer, 'R', 150, '2026-11-01', 'refund')
    expect(figuresOf(await draft(customer.name, '2026-10'))[0]).toEqual([1_800, 4_237, 763])
    await issue(customer.name, '2026-10')
    await addRuns(portal, customer, '2026-09-05T04:00:00Z', '2026-09-05T12:00:00Z')
    expect(figuresOf(await draft(customer.name, '2026-09'))).toEqual([[1_200, 10_000, 1_200]])
  })

  test('gives a receipt voucher the rate and the tax status of the day of its payment', async () => {
    await settings({ ...CHANGED, vouchersFrom: '2026-10-01' })
    const customer = await addCustomer(portal, 'Advance Rates', 0, { ...ADDRESS, state: '33' })
    await pay(customer, 'early', 118, '2026-10-15')
    await pay(customer, 'late', 112, '2026-10-16')
    const vouchers = await issueDueVouchers(db, jobs, new AbortController().signal)
    const rates = new Map<string, unknown>()
    for (const number of vouchers) {
      const { document } = await read(number)
      rates.set(document.of.number, figuresOf(document)[0])
    }
    expect([rates.get('early'), rates.get('late')]).toEqual([
      [1_800, 10_000, 1_800],
      [1_200, 10_000, 1_200],
    ])
    await settings({ vouchersFrom: null, rates: SETTINGS.rates })
  })
})

test.each([
  ['2026-04-01', '2027-11-30'],
  ['2027-03-31', '2027-11-30'],
  ['2027-04-01', '2028-11-30'],
])('lets a credit note for an invoice of %s reduce the tax until %s', (date, until) => {
  expect(taxCreditUntil(date)).toBe(until)
})

test('issues a financial credit note without tax after 30 November following the financial year', async () => {
  const customer = await addCustomer(portal, 'Late Credit', 1, { ...ADDRESS, state: '33' })
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  const number = await issue(customer.name, '2026-10')
  expect((await read(number)).taxCreditUntil).toBe('2027-11-30')
  await setClock(portal, '2027-11-30T18:29:00Z')
  const inTime = await credit(number, 25)
  expect(inTime.body.message).toMatch(/^Credit note CRN/)
  await setClock(portal, '2027-11-30T18:31:00Z')
  const late = await credit(number, 25)
  expect(late.body.message).toBe(`Financial credit note ${late.body.number} against ${number} issued.`)
  expect(late.body.number).toMatch(/^FCN\/27-28\//)
  const { document, taxCreditUntil: until } = await read(late.body.number)
  expect([until, document.totals]).toEqual([
    null,
    { taxablePaise: 2_500, cgstPaise: 0, sgstPaise: 0, igstPaise: 0, roundOffPaise: 0, totalPaise: 2_500 },
  ])
  expect((await credit(number, 75.01)).status).toBe(409)
  expect((await send('POST', '/admin/invoice/json', { number: late.body.number })).status).toBe(409)
  const text = await pdfText((await send('POST', '/admin/invoice/pdf', { number: late.body.number })).body)
  expect(text).toContain('Financial Credit Note')
  expect(text).toContain('DOES NOT REDUCE THE TAX OF THE INVOICE (CGST ACT, SECTION 34(2))')
  const open = (await send('GET', at('/admin/ledger/open', { organization: customer.name }))).body.invoices
  expect(open).toMatchObject([{ invoice: number, openPaise: 14_800 - 2_950 - 2_500 }])
  const books = { what: 'credit notes', books: 'tally', from: '2027-12-01', to: '2027-12-01' }
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const reply = await portal.request('POST', '/admin/ledger/export', { uid, body: books })
  const lines = (await reply.text()).trim().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',').slice(1, 6))).toEqual([
    ['Credit Note', late.body.number, 'Late Credit', '25.00', 'Cr'],
    ['Credit Note', late.body.number, 'Discount Allowed', '25.00', 'Dr'],
  ])
  await setClock(portal, '2026-11-05T06:00:00Z')
  const broken = await brokenInvariants(portal.owner, { quiet: false })
  expect(broken.filter(({ name }) => name.startsWith('L'))).toEqual([])
})
