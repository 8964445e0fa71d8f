import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { addCustomer, addSuperadmin, ADDRESS, SETTINGS, setClock } from '#test/invoicing.ts'
import { TEMPLATE } from '#test/orders.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { doubtsAbout, type EnteredValues, type LedgerState } from './plausible.ts'

const LEDGER: LedgerState = {
  name: 'Acme',
  today: '2026-11-05',
  organisationCreatedOn: '2026-01-10',
  billed: 1_00_000_00,
  deducted: 0,
  owed: 50_000_00,
  largestInvoice: 1_00_000_00,
  taxRate: 1_800,
  correctedOn: null,
  settledInvoiceAmount: 0,
}
const FEES = '393(1)'
const tds = (amount: number, withTds: number, section = FEES, settles: string | null = null) => ({
  tds: { amount, section, payment: { amount: withTds, settles } },
})
const correctionOn = (date: string) => ({ date, corrects: { kind: 'invoice', reference: 'A-1' } }) as const

describe('doubts about entered values', () => {
  test.each<[string, EnteredValues, string | null, Partial<LedgerState>?]>([
    ['a date a month ahead', { date: '2026-12-06' }, null],
    ['a date further ahead', { date: '2026-12-07' }, 'The date 07/12/2026 is more than a month ahead.'],
    ['a planned day a year ahead', { plannedDay: '2027-11-06' }, null],
    ['a planned day further ahead', { plannedDay: '2027-11-07' }, 'The date 07/11/2027 is more than a year ahead.'],
    ['a first day of a tax status a month ahead', { taxDay: '2026-12-06' }, null],
    [
      'a first day of a tax status further ahead',
      { taxDay: '2026-12-07' },
      'The first day 07/12/2026 is more than a month ahead.',
    ],
    ['a first day of a tax status in this month', { taxDay: '2026-11-01' }, null],
    [
      'a first day of a tax status in an ended month',
      { taxDay: '2026-10-31' },
      'The first day 31/10/2026 is in a month that has ended.',
    ],
    ['an entry of an earlier system', { date: '2020-01-10' }, null],
    ['an old date', { date: '2016-11-05' }, 'The date 05/11/2016 is more than 6 years before Acme was created.'],
    [
      'a correction dated on the day of the corrected entry',
      correctionOn('2026-10-31'),
      null,
      { correctedOn: '2026-10-31' },
    ],
    [
      'a correction dated before the day of the corrected entry',
      correctionOn('2026-10-30'),
      'The date 30/10/2026 is before that of A-1, 31/10/2026.',
      { correctedOn: '2026-10-31' },
    ],
    ['TDS of 10 % before tax', tds(1_000_00, 11_800_00), null],
    ['TDS of 10 % before tax, rounded up to a rupee', tds(1_001_00, 11_800_00), null],
    [
      'TDS of more than 10 %',
      tds(1_002_00, 11_800_00),
      'TDS of ₹1,002.00 exceeds the maximum under section 393(1): 10 % of the taxable amount of ₹10,000.00.',
    ],
    [
      'TDS that is larger than its payment',
      tds(501_00, 1_001_00, FEES, 'A-1'),
      'TDS of ₹501.00 is more than the payment of ₹500.00 from which it was deducted.',
      { settledInvoiceAmount: 1_18_000_00 },
    ],
    ['TDS as large as its payment', tds(500_00, 1_000_00, FEES, 'A-1'), null, { settledInvoiceAmount: 1_18_000_00 }],
    [
      'TDS on the whole invoice with its first instalment',
      tds(1_000_00, 3_000_00),
      null,
      { settledInvoiceAmount: 11_800_00 },
    ],
    ['TDS of a customer whose supplies bear no tax', tds(1_000_00, 10_000_00), null, { taxRate: 0 }],
    [
      'TDS of 10 % under a section for contracts',
      tds(1_000_00, 11_800_00, '194C'),
      'TDS of ₹1,000.00 exceeds the maximum under section 194C: 2 % of the taxable amount of ₹10,000.00.',
    ],
    ['TDS of 20 % under another section', tds(2_000_00, 11_800_00, '206AA'), null],
    [
      'TDS that exceeds everything billed, with earlier TDS',
      tds(1_000_00, 11_800_00),
      'With this TDS of ₹1,000.00, deductions are ₹1,00,500.00. That is more than the ₹1,00,000.00 billed to Acme.',
      { deducted: 99_500_00 },
    ],
    ['a certificate within what is owed', { tds: { amount: 8_000_00, section: FEES } }, null],
    [
      'a certificate of more than is owed',
      { tds: { amount: 8_000_00, section: FEES } },
      'TDS of ₹8,000.00 is more than the ₹7,999.00 that Acme owes. The TDS may already be recorded with the payment.',
      { owed: 7_999_00 },
    ],
    ['a payment of all that is owed', { payment: 50_000_00 }, null],
    ['a payment in advance', { payment: 2_49_999_00 }, null],
    [
      'a payment far above what is owed',
      { payment: 2_50_000_00 },
      '₹2,50,000.00 is at least 5 times the ₹50,000.00 that Acme owes.',
    ],
    ['a payment far above a very small debt', { payment: 9_999_00 }, null, { owed: 1 }],
    ['an advance without debts', { payment: 9_99_999_00 }, null, { owed: -5 }],
    [
      'a very large advance without debts',
      { payment: 10_00_000_00 },
      '₹10,00,000.00 is at least 10 times the largest invoice of Acme, ₹1,00,000.00.',
      { owed: 0 },
    ],
    ['prepaid credit above what is owed', { advance: 9_99_999_00 }, null],
    [
      'an invoice of ten times the largest one',
      { charge: 10_00_000_00 },
      '₹10,00,000.00 is at least 10 times the largest invoice of Acme, ₹1,00,000.00.',
    ],
    ['an invoice below a lakh', { charge: 99_999_00 }, null, { largestInvoice: 100 }],
    [
      'a first invoice of a crore',
      { charge: 1_00_00_000_00 },
      '₹1,00,00,000.00 is unusually large: Acme has no invoice yet.',
      { largestInvoice: 0 },
    ],
    ['an amount equal to its limit', { limit: { amount: 5_00, max: 5_00, maxLabel: 'what is left' } }, null],
    [
      'an amount above its limit',
      { limit: { amount: 5_01, max: 5_00, maxLabel: 'what is left' } },
      '₹5.01 is more than what is left, ₹5.00.',
    ],
    ['a price near the current one', { price: { amount: 1_25, before: 12_00 } }, null],
    [
      'a price of nothing',
      { price: { amount: 0, before: 12_00 } },
      '₹0.00 per hour differs from the current price of ₹12.00 by a factor of 10 or more.',
    ],
    [
      'a price with another zero',
      { price: { amount: 120_00, before: 12_00 } },
      '₹120.00 per hour differs from the current price of ₹12.00 by a factor of 10 or more.',
    ],
    ['a first price', { price: { amount: 120_00, before: 0 } }, null],
  ])('%s', (_, entered, doubt, ledger = {}) => {
    expect(doubtsAbout(entered, { ...LEDGER, ...ledger })).toEqual(doubt === null ? [] : [doubt])
  })
})

const env = await sharedEnvironment()
const { portal } = env
let superadminSession: string
// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function post(path: string, body: object, uid = superadminSession): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(path === '/admin/supplier' ? 'PATCH' : 'POST', path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const read = async (path: string): Promise<Body> =>
  (await portal.request('GET', path, { uid: superadminSession })).json()
/** Expects that the values are refused, that no entry is stored, and that the confirmed values are accepted. */
async function expectConfirmation(path: string, body: object, doubt: string, uid = superadminSession): Promise<Body> {
  const entryCount = async () => (await sql`select count(*) from ledger_entry`.execute(portal.owner)).rows
  const before = await entryCount()
  const message = `${doubt} Check it, or confirm that it is right.`
  expect(await post(path, body, uid)).toMatchObject({ status: 409, body: { code: 'unconfirmed', message } })
  expect(await entryCount()).toEqual(before)
  expect((await post(path, { ...body, confirmed: false }, uid)).status).toBe(400)
  const { status, body: reply } = await post(path, { ...body, confirmed: true }, uid)
  expect([status, reply]).toEqual([200, expect.anything()])
  return reply
}

describe('a superadmin confirms implausible', () => {
  const organization = 'Doubted'
  const LINES = [{ description: 'Setup of a classroom', amount: 10_000 }]
  const date = '2026-11-05'

  beforeAll(async () => {
    await setClock(portal, '2026-11-05T06:00:00Z')
    superadminSession = await addSuperadmin(env)
    await portal.request('PATCH', '/admin/supplier', { uid: superadminSession, body: SETTINGS })
    await addCustomer(portal, organization, 0, ADDRESS)
    const invoice = { organization, type: 'invoice', id: 'A-1', amount: 1_18_000, date }
    await post('/admin/ledger/addTransaction', invoice)
  })

  // @covers A580
  test('payments and deducted tax', async () => {
    const payment = { organization, type: 'payment', amount: 1, date }
    const taxed = { ...payment, id: 'P-1', settles: 'A-1', tds: { amount: 9_999, section: FEES } }
    const aboveItsPayment = 'TDS of ₹9,999.00 is more than the payment of ₹1.00 from which it was deducted.'
    await expectConfirmation('/admin/ledger/addTransaction', taxed, aboveItsPayment)
    const highTds = { ...payment, id: 'P-4', settles: null, amount: 71_000, tds: { amount: 19_000, section: FEES } }
    const aboveMaximum =
      'TDS of ₹19,000.00 exceeds the maximum under section 393(1): 10 % of the taxable amount of ₹76,271.19.'
    await expectConfirmation('/admin/ledger/addTransaction', highTds, aboveMaximum)
    const largePayment = { ...payment, id: 'P-2', amount: 1_80_000 }
    await expectConfirmation(
      '/admin/ledger/addTransaction',
      largePayment,
      '₹1,80,000.00 is at least 5 times the ₹18,000.00 that Doubted owes.',
    )
    const instalment = { ...payment, id: 'P-3', amount: 1_000, settles: 'A-1', tds: { amount: 1_00, section: FEES } }
    expect((await post('/admin/ledger/addTransaction', instalment)).status).toBe(200)
    const certificate = { organization, certificate: 'C-1', section: FEES, financialYear: '26-27', quarter: 3, date }
    await expectConfirmation(
      '/admin/ledger/tds',
      { ...certificate, amount: 10 },
      'TDS of ₹10.00 is more than the ₹0.00 that Doubted owes. The TDS may already be recorded with the payment.',
    )
  })

  // @covers A581
  test('dates of corrections, and amounts of invoices, notes, quotes and credit', async () => {
    const correction = { organization, reason: 'Wrong', date: '2026-11-04' }
    const early = 'The date 04/11/2026 is before that of A-2, 05/11/2026.'
    await post('/admin/ledger/addTransaction', { organization, type: 'invoice', id: 'A-2', amount: 10, date })
    await expectConfirmation('/admin/ledger/reverse', { ...correction, kind: 'invoice', id: 'A-2' }, early)
    const large = '₹50,00,000.00 is at least 10 times the largest invoice of Doubted, ₹1,18,000.00.'
    const lines = [{ description: 'Setup of a classroom', amount: 50_00_000 }]
    const { digest } = (await post('/admin/invoices/one-off/draft', { organization, lines })).body
    await expectConfirmation('/admin/quotes', { organization, lines, validUntil: '2026-11-30' }, large)
    const credit = { organization, id: 'C-1', date, amount: 50_00_000 }
    await expectConfirmation('/admin/credit/purchases', credit, large)
    const { number } = await expectConfirmation('/admin/invoices/one-off', { organization, lines, digest }, large)
    expect(number).toMatch(/^INV/)
    const items = [{ item: 1, amount: 50_00_001 }]
    await expectConfirmation(
      '/admin/invoice/debit',
      { number, reason: 'Too low', items },
      `₹50,00,001.00 is more than the amount of ${number} before tax, ₹50,00,000.00.`,
    )
  })

  // @covers A581
  test('payments for a proforma invoice, prices and pauses', async () => {
    const { number } = (await post('/admin/quotes', { organization, lines: LINES, validUntil: '2026-11-30' })).body
    await post('/admin/quotes/decide', { number, decision: 'accepted' })
    const { proforma } = (await post('/admin/quotes/proforma', { number })).body
    const payment = { number, id: 'Q-1', amount: 1_18_000, date }
    await expectConfirmation(
      '/admin/quotes/payments',
      payment,
      `₹1,18,000.00 is more than what is left of ${proforma}, ₹11,800.00.`,
    )
    const later = { ...payment, id: 'Q-2', amount: 1, date: '2027-01-01' }
    await expectConfirmation(
      '/admin/quotes/payments',
      later,
      `The date 01/01/2027 is more than a month ahead. ₹1.00 is more than what is left of ${proforma}, ₹0.00.`,
    )
    const { quotes } = await read(`/admin/quotes?organization=${organization}`)
    expect(quotes.find((each: Body) => each.number === number).payments).toHaveLength(2)
    const price = { organization, kind: 'template', item: TEMPLATE, rate: 0, from: '2099-01-01' }
    await expectConfirmation(
      '/admin/prices',
      price,
      'The date 01/01/2099 is more than a year ahead. ₹0.00 per hour differs from the current price of ₹12.50 by a factor of 10 or more.',
    )
    const terms = { organization, limitEnforced: false, overdue: null, pausedUntil: '2099-01-01' }
    await expectConfirmation('/admin/credit/terms', terms, 'The date 01/01/2099 is more than a year ahead.')
  })
  // @covers A581
  test('first days of tax statuses and of new tax rates', async () => {
    const { name, admin } = await addCustomer(portal, 'Moved', 0, ADDRESS)
    const ended = 'The first day 31/10/2026 is in a month that has ended.'
    const ahead = 'The first day 01/01/2027 is more than a month ahead.'
    const status = { place: 'abroad', gstin: null, reason: 'Moved' }
    const changes = async () => (await read(`/admin/organization/tax-status?organization=${name}`)).changes
    const change = { organization: name, ...status, from: '2026-10-31' }
    expect((await post('/admin/organization/tax-status', change)).status).toBe(409)
    expect(await changes()).toEqual([])
    await expectConfirmation('/admin/organization/tax-status', change, ended)
    const bytes = Buffer.from('%PDF-1.7 certificate').toString('base64')
    const request = { ...status, place: 'india', from: '2027-01-01', document: 'proof.pdf', bytes }
    await expectConfirmation('/admin/organization/tax-status/requests', request, ahead, await portal.sessionOf(admin))
    const [{ id }] = (await read('/admin/tax-status/requests')).requests
    await expectConfirmation('/admin/tax-status/requests/decide', { id, decision: 'approved' }, ahead)
    expect(await changes()).toMatchObject([{ from: '2027-01-01' }, { from: '2026-10-31' }])

    const rates = [...SETTINGS.rates, { from: '2026-10-31', basisPoints: 500 }, { from: '2027-01-01', basisPoints: 1 }]
    await expectConfirmation('/admin/supplier', { rates }, `${ended} ${ahead}`)
    expect((await post('/admin/supplier', { rates: [...rates, { from: date, basisPoints: 2 }] })).status).toBe(200)
    expect((await post('/admin/supplier', { confirmed: true })).status).toBe(400)
  })
})
