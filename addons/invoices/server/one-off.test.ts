import { Ajv } from 'ajv'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { addCustomer, ADDRESS, SETTINGS, setClock } from '../test/invoicing.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { SUPPLIER } from '../test/tax-documents.ts'
import { PEOPLE, createSubjects } from '@trainyard/platform/test/world.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const { db } = portal.app
const GST = '29AABCR1718E1ZL'

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function ask(method: string, path: string, body?: unknown): Promise<Body> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  return (await portal.request(method, path, { uid, body })).json()
}
const read = (number: string) => ask('GET', `/admin/invoice?${new URLSearchParams({ number }).toString()}`)
const draft = (organization: string, lines: object[]) =>
  ask('POST', '/admin/invoices/one-off/draft', { organization, lines })
async function issue(organization: string, lines: object[]): Promise<string> {
  const { digest } = await draft(organization, lines)
  const reply = await ask('POST', '/admin/invoices/one-off', { organization, lines, digest })
  expect(reply.message).toBe(`Invoice ${reply.number} for ${organization} issued.`)
  return reply.number
}
const correct = (kind: 'credit' | 'debit', number: string, amount: number, item = 1) =>
  ask('POST', `/admin/invoice/${kind}`, { number, reason: 'Wrong price', items: [{ item, amount }] })

async function expectValid(form: object): Promise<void> {
  const text = await readFile(new URL('../test/inv-01.schema.json', import.meta.url), 'utf8')
  const validate = new Ajv({ allErrors: true, multipleOfPrecision: 6, unicodeRegExp: false }).compile(
    JSON.parse(text) as object,
  )
  validate(form)
  expect(validate.errors ?? []).toEqual([])
}

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  await ask('PATCH', '/admin/supplier', { ...SETTINGS, invoicePrefix: 'OFF', debitNotePrefix: 'OFD' })
})

describe('one-off invoice', () => {
  test('has the entered lines with their discounts, the tax of the day and the next number of the series', async () => {
    const { id, name } = await addCustomer(portal, 'One Off', 0, { ...ADDRESS, gst: GST })
    const lines = [
      { description: 'Setup of a classroom', amount: 1_000, discount: 100 },
      { description: 'Consulting', amount: 500.5, sac: '998313' },
    ]
    const number = await issue(name, lines)
    expect(number).toBe('OFF/26-27/00001')
    const { document } = await read(number)
    expect(document).toMatchObject({ kind: 'invoice', month: null, date: '2026-11-05', dueOn: '2026-11-20', lines: [] })
    expect(document.items).toMatchObject([
      { sac: SUPPLIER.sac, discountPaise: 100_00, taxablePaise: 900_00, cgstPaise: 81_00, rate: 1_800 },
      { sac: '998313', taxablePaise: 500_50, cgstPaise: 45_05, totalPaise: 590_60 },
    ])
    expect(document.totals).toMatchObject({ taxablePaise: 1_400_50, roundOffPaise: 40, totalPaise: 1_653_00 })
    expect(document.words).toBe('Rupees One Thousand Six Hundred Fifty-Three Only')
    expect(await balanceOf(db, id)).toBe(1_653_00)
    const pdf = await portal.request('POST', '/admin/invoice/pdf', {
      uid: await portal.sessionOf(PEOPLE.superadmin),
      body: { number },
    })
    const text = (await pdfText(Buffer.from(await pdf.arrayBuffer()))).replaceAll(/\s+/g, ' ')
    for (const fact of ['Setup of a classroom: ₹1,000.00 less discount of ₹100.00', '998313', '₹1,653.00'])
      expect(text).toContain(fact)
    const form = await ask('POST', '/admin/invoice/json', { number })
    expect(form.ItemList[0]).toMatchObject({ UnitPrice: 1_000, TotAmt: 1_000, Discount: 100, AssAmt: 900 })
    expect(form.RefDtls).toEqual({})
    await expectValid(form)
  })

  test('bears no tax under an undertaking, and the credit note of a discounted line names no discount', async () => {
    await ask('PATCH', '/admin/supplier', { undertakings: [{ year: '26-27', number: 'AD290326000001A' }] })
    const { name } = await addCustomer(portal, 'One Off Abroad', 0, {
      addressLine1: '1 Souk',
      city: 'Dubai',
      place: 'abroad',
      country: 'AE',
    })
    const number = await issue(name, [{ description: 'Setup', amount: 1_000, discount: 50 }])
    expect((await read(number)).document).toMatchObject({ supplyType: 'EXPWOP', totals: { totalPaise: 950_00 } })
    const note = (await correct('credit', number, 100)).number as string
    expect((await read(note)).document.items[0]).not.toHaveProperty('discountPaise')
  })

  test('is refused with equal descriptions, a discount of the whole amount, or a total below half a rupee', async () => {
    const { name } = await addCustomer(portal, 'One Off Refused', 0)
    const setup = { description: 'Setup', amount: 100 }
    expect((await draft(name, [setup, setup])).message).toContain('a different description in each line')
    expect((await draft(name, [{ ...setup, discount: 100 }])).message).toContain('less than the amount')
    expect((await draft(name, [{ ...setup, amount: 0.4 }])).message).toContain('below half a rupee')
  })

  test('is not issued if its content has changed since the preview', async () => {
    const { name } = await addCustomer(portal, 'One Off Changed', 0)
    const lines = [{ description: 'Setup', amount: 100 }]
    const { digest } = await draft(name, lines)
    await portal.owner
      .updateTable('organisation_billing')
      .set({ city: 'Hassan' })
      .where('city', '=', 'Mysuru')
      .execute()
    const reply = await ask('POST', '/admin/invoices/one-off', { organization: name, lines, digest })
    expect(reply.message).toBe('The invoice has changed since you opened it. Review it again.')
  })

  test('is issued once, however many users confirm the same preview', async () => {
    const { id, name } = await addCustomer(portal, 'One Off Twice', 0)
    const lines = [{ description: 'Setup', amount: 100 }]
    const { digest } = await draft(name, lines)
    const body = { organization: name, lines, digest }
    const replies = await Promise.all([1, 2, 3].map(() => ask('POST', '/admin/invoices/one-off', body)))
    expect(replies.filter(({ number }) => number !== undefined)).toHaveLength(1)
    expect(replies.find(({ number }) => number === undefined).message).toBe(
      'Another one-off invoice was issued to this customer since you opened yours. Check that it is not the same, and review yours again.',
    )
    expect(await balanceOf(db, id)).toBe(118_00)
    await issue(name, lines)
    expect(await balanceOf(db, id)).toBe(2 * 118_00)
  })
})

describe('debit note', () => {
  test('can be credited together with its invoice, down to exactly zero', async () => {
    const { id, name } = await addCustomer(portal, 'Debited Credited', 0, { ...ADDRESS, gst: GST })
    // Rounding increases the tax of each amount alone, but decreases the tax of their sum.
    const number = await issue(name, [{ description: 'Setup', amount: 100.06 }])
    await correct('debit', number, 100.06)
    expect((await correct('credit', number, 200.13)).message).toBe('At most ₹200.12 of item 1 can be credited.')
    expect((await correct('credit', number, 200.12)).number).toBeDefined()
    expect(await balanceOf(db, id)).toBe(0)
    expect(await openInvoices(db, '2026-11-05', { organisation: id })).toEqual([])
    expect((await read(number)).leftPaise).toEqual([0])
    expect((await correct('debit', number, 0.1)).message).toContain('below half a rupee')
  })

  test('bears the tax of its invoice also if the tax of the raised item was below half a paisa', async () => {
    const { name } = await addCustomer(portal, 'Debited Trifle', 0, { ...ADDRESS, gst: GST })
    const number = await issue(name, [
      { description: 'Setup', amount: 100 },
      { description: 'Trifle', amount: 0.05 },
    ])
    const { document } = await read((await correct('debit', number, 100, 2)).number as string)
    expect(document.items).toMatchObject([
      { taxablePaise: 100_00, cgstPaise: 9_00, sgstPaise: 9_00, totalPaise: 118_00 },
    ])
  })

  test('corrects only invoices, and only for superadmins', async () => {
    const { name, admin } = await addCustomer(portal, 'Debited Refused', 0)
    const number = await issue(name, [{ description: 'Setup', amount: 100 }])
    const note = (await correct('debit', number, 10)).number as string
    expect((await correct('debit', note, 10)).message).toBe(
      'Credit and debit notes can be issued only against an invoice.',
    )
    const uid = await portal.sessionOf(admin)
    const body = { number, reason: 'Wrong price', items: [{ item: 1, amount: 10 }] }
    expect((await portal.request('POST', '/admin/invoice/debit', { uid, body })).status).toBe(403)
  })
})

test('one-off invoices and debit notes keep the invariants of the ledger', async () => {
  expect((await brokenInvariants(portal.owner, { quiet: false })).filter(({ name }) => name.startsWith('L'))).toEqual(
    [],
  )
})
