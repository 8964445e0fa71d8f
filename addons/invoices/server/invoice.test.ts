import { Ajv } from 'ajv'
import { sql } from 'kysely'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { TaxDocument } from '../contract/invoice.ts'
import { queryDatabase as superuser } from '@trainyard/platform/test/query-database.ts'
import {
  addCustomer,
  addSuperadmin,
  ADDRESS,
  addRuns,
  SETTINGS,
  setClock,
  type TestCustomer,
} from '../test/invoicing.ts'
import { pdfAttachment, pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import { unchargedLinesOf } from './charging.ts'
import { irnOf } from './gst/serial.ts'
import { billingEmailsOf, invoiceMail, mailDocument } from './mail.ts'
import { issueDueInvoices } from './run.ts'

const env = await sharedEnvironment()
const { portal } = env
const { db } = portal.app
const schema: object = JSON.parse(await readFile(new URL('../test/inv-01.schema.json', import.meta.url), 'utf8'))
const validate = new Ajv({ allErrors: true, unicodeRegExp: false }).compile(schema)
const jobs = jobQueueIn(db)
let root: string

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const draft = (name: string, month: string) => send('GET', at('/admin/invoices/draft', { organization: name, month }))
const read = async (number: string): Promise<Body> => (await send('GET', at('/admin/invoice', { number }))).body
const account = async (name: string): Promise<Body> =>
  (await send('GET', at('/admin/ledger/accounts', { organization: name }))).body
async function issue({ name }: TestCustomer, month: string): Promise<string> {
  const seen = await draft(name, month)
  expect(seen.body).toMatchObject({ digest: expect.any(String) as string })
  const { status, body } = await send('POST', '/admin/invoices', {
    organization: name,
    month,
    digest: seen.body.digest,
  })
  expect([status, body.message]).toEqual([200, `Invoice ${body.number} for ${name} issued.`])
  return body.number
}
const credit = (number: string, ...items: [item: number, amount: number][]) =>
  send('POST', '/admin/invoice/credit', {
    number,
    reason: 'Billed too much',
    items: items.map(([item, amount]) => ({ item, amount })),
  })
const file = async (call: 'pdf' | 'json', number: string, uid = root): Promise<Buffer> => {
  const reply = await portal.request('POST', `/admin/invoice/${call}`, { uid, body: { number } })
  expect(reply.status).toBe(200)
  return Buffer.from(await reply.arrayBuffer())
}
const run = () => issueDueInvoices(db, jobs, new AbortController().signal)
const settings = (changes: object) => send('PATCH', '/admin/supplier', changes)
/**
 * Creates a customer with ten hours of usage per machine in October; the last run continues into November in Kolkata.
 */
async function customerOfOctober(name: string, billing: Readonly<Record<string, unknown>> = ADDRESS, machines = 2) {
  const customer = await addCustomer(portal, name, machines, billing)
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T13:00:00Z')
  await addRuns(portal, customer, '2026-10-31T17:30:00Z', '2026-10-31T19:30:00Z')
  return customer
}

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
})

describe('settings', () => {
  test('prevent issuing and list what is missing until the supplier settings are complete', async () => {
    await customerOfOctober('Early')
    const empty = await send('GET', '/admin/invoices/preview')
    expect(empty.body).toMatchObject({ months: [], month: null, rows: [] })
    expect(empty.body.problems).toEqual([
      'Still missing in the supplier settings: legal name, GST number, address, city, PIN code, state, signatory, first month to invoice.',
      'The supplier settings have no tax rate.',
    ])
    await settings({ issuing: 'automatic' })
    expect(await run()).toEqual([])
    expect((await draft('Early', '2026-10')).status).toBe(409)
    expect((await settings(SETTINGS)).status).toBe(200)
    expect((await send('GET', '/admin/supplier')).body).toEqual({ ...SETTINGS, problems: [] })
    const { rows } = await sql<{ before: Body; after: Body }>`
      select before, after from audit where call = 'supplier.change' order by id desc limit 1`.execute(db)
    expect([rows[0]!.before.gstin, rows[0]!.after.gstin]).toEqual([null, SETTINGS.gstin])
  })

  test.each([
    [{ gstin: '29AAFCC9980M1ZX' }, 'gstin must have the correct check digit'],
    [
      { creditNotePrefix: 'INV' },
      'Invoices, credit notes, receipt vouchers, refund vouchers, financial credit notes and debit notes each need their own prefix.',
    ],
    [{ invoicePrefix: '0A' }, 'invoicePrefix must be 1 to 4 capital letters or digits'],
    [{ legalName: 'A "quoted" name' }, 'without quotation marks'],
    [{ issueDay: 1 }, 'issueDay'],
    [{ pin: '400001' }, 'The PIN code 400001 is not in Karnataka.'],
    [{ rates: [SETTINGS.rates[0], SETTINGS.rates[0]] }, 'Two tax rates start on the same day.'],
    [{}, 'must contain at least one field to change'],
  ])('with %o are rejected', async (changes, sentence) => {
    const { status, body } = await settings(changes)
    expect(status).toBe(400)
    expect(body.message).toContain(sentence)
  })

  test("let an admin change the organisation's billing details, and report why it cannot be billed", async () => {
    const customer = await customerOfOctober('Own Ways', { addressLine1: null, city: null })
    const admin = await portal.sessionOf(customer.admin)
    const row = async () =>
      (await send('GET', '/admin/invoices/preview')).body.rows.find(
        ({ organization }: { organization: string }) => organization === 'Own Ways',
      )
    expect(await row()).toMatchObject({
      totalPaise: null,
      problems: ['Still missing in the billing settings of Own Ways: address, city, PIN code, state.'],
    })
    const change = (changes: object) => send('PATCH', '/admin/organization/billing', changes, admin)
    const elsewhere = await change({ ...ADDRESS, state: '33' })
    expect([elsewhere.status, elsewhere.body.message]).toEqual([
      400,
      'The PIN code 570001 is not in Tamil Nadu. Correct the PIN code or the state.',
    ])
    expect((await change({ ...ADDRESS, state: '33', pin: '600001', emails: ['pay@own.test'] })).status).toBe(200)
    await send('PATCH', '/admin/organization/profile', { organization: 'Own Ways', gst: '29AABCR1718E1ZL' })
    expect((await row()).problems).toEqual(['The state of the GST number differs from the state of the address.'])
    await change({ state: '29', pin: ADDRESS.pin, legalName: 'Own Ways Private Limited' })
    expect(await row()).toMatchObject({ problems: [], taxablePaise: 25_000 })
    await settings({ rates: [] })
    const { problems } = (await send('GET', '/admin/invoices/preview')).body
    expect([problems, (await row()).problems]).toEqual([['The supplier settings have no tax rate.'], []])
    await settings({ rates: SETTINGS.rates })
    expect((await change({ emails: ['nobody'] })).status).toBe(400)
    const mine = await send('GET', '/admin/organization/billing', undefined, admin)
    expect(mine.body).toMatchObject({ legalName: 'Own Ways Private Limited', emails: ['pay@own.test'], state: '29' })
  })
})

test('issues an invoice once, exactly as in the draft, with its ledger entry', async () => {
  const customer = await customerOfOctober('Once', { ...ADDRESS, gst: '29AABCR1718E1ZL' })
  const seen = await draft('Once', '2026-10')
  expect(seen.body.document).toMatchObject({ number: null, date: null, month: '2026-10', supplyType: 'B2B' })
  // Ten of the twelve hours are in October, for two machines at ₹12.50 per hour.
  expect(seen.body.document.totals).toEqual({
    taxablePaise: 25_000,
    cgstPaise: 2_250,
    sgstPaise: 2_250,
    igstPaise: 0,
    roundOffPaise: 0,
    totalPaise: 29_500,
  })
  expect(seen.body.document.words).toBe('Rupees Two Hundred Ninety-Five Only')
  await settings({ sac: '998319' })
  const other = await send('POST', '/admin/invoices', {
    organization: 'Once',
    month: '2026-10',
    digest: seen.body.digest,
  })
  expect([other.status, other.body.message]).toEqual([
    409,
    'The invoice has changed since you opened it. Review it again.',
  ])
  await settings({ sac: '998315' })
  const number = await issue(customer, '2026-10')
  expect(number).toMatch(/^INV\/26-27\/\d{5}$/)
  expect((await account('Once')).transactions).toEqual([
    {
      date: '2026-11-05',
      particular: 'Tax invoice, October 2026',
      kind: 'invoice',
      invoice: 295,
      payment: null,
      id: number,
    },
  ])
  const again = await send('POST', '/admin/invoices', {
    organization: 'Once',
    month: '2026-10',
    digest: seen.body.digest,
  })
  expect([again.status, again.body.message]).toEqual([409, `Once already has the invoice ${number} for October 2026.`])
  const issued = await read(number)
  expect(issued.document).toEqual({ ...seen.body.document, number, date: '2026-11-05', dueOn: '2026-11-20' })
  expect(issued.expectedIrn).toBe(irnOf(SETTINGS.gstin, 'invoice', number, '2026-11-05'))
  await setClock(portal, '2026-12-02T06:00:00Z')
  expect((await draft('Once', '2026-11')).body.document.totals.taxablePaise).toBe(2 * 1_250)
  await setClock(portal, '2026-11-05T06:00:00Z')
  expect((await draft('Once', '2026-11')).status).toBe(409)
})

test('gives the same reply for a cursor of another organisation and an unknown cursor', async () => {
  const own = await customerOfOctober('Own cursor')
  const [mine, foreign] = [
    await issue(own, '2026-10'),
    await issue(await customerOfOctober('Foreign cursor'), '2026-10'),
  ]
  const { token } = await env.credentials(own.admin)
  const before = async (number: string, query: Record<string, string> = {}, uid = token) => {
    const { status, body } = await send('GET', at('/admin/invoices', { before: number, ...query }), undefined, uid)
    return { status, numbers: body.documents.map((each: { number: string }) => each.number), earlier: body.earlier }
  }
  const absent = foreign.replace(/\d+$/, '99999')
  expect((await send('GET', '/admin/invoices', undefined, token)).body.documents).toMatchObject([{ number: mine }])
  expect(await before(foreign)).toEqual(await before(absent))
  // A superadmin who names an organisation gets the cursors of that organisation.
  const ofOwn = { organization: own.name }
  expect(await before(foreign, ofOwn, root)).toEqual(await before(absent, ofOwn, root))
  expect((await before(foreign, {}, root)).numbers).toContain(mine)
})

test("does not let the portal's database role change, delete or renumber issued documents", async () => {
  for (const table of [
    'tax_document',
    'tax_document_registration',
    'e_invoice_cancellation',
    'charged_line',
    'document_series',
  ]) {
    for (const statement of [`delete from ${table}`, `truncate ${table}`, `update ${table} set created_by = ''`])
      await expect(sql.raw(statement).execute(db)).rejects.toThrow(/permission denied|does not exist/)
  }
  const copy = (serial: string) =>
    sql
      .raw(`insert into tax_document (organisation_id, kind, supplier_gstin, prefix, financial_year, serial, issued_on, due_on, month,
        taxable_paise, cgst_paise, sgst_paise, igst_paise, round_off_paise, total_paise, content, e_invoice, pdf, created_by)
        select organisation_id, kind, supplier_gstin, prefix, financial_year, ${serial}, issued_on, due_on, month - interval '1 month',
        taxable_paise, cgst_paise, sgst_paise, igst_paise, round_off_paise, total_paise, content, e_invoice, pdf, created_by
        from tax_document where kind = 'invoice' order by serial desc limit 1`)
      .execute(db)
  await expect(copy('serial')).rejects.toThrow(/not the next number/)
  await expect(copy('serial + 2')).rejects.toThrow(/not the next number/)
  // The copy has the next number, but the ledger has no entry for this number.
  await expect(copy('serial + 1')).rejects.toThrow(/foreign key/)
})

describe('INV-01 forms, PDFs and mails', () => {
  const KINDS: readonly (readonly [string, Record<string, unknown>, string | null, object])[] = [
    ['Business', { ...ADDRESS, gst: '29AABCR1718E1ZL' }, null, { SupTyp: 'B2B', Pos: '29', Gstin: '29AABCR1718E1ZL' }],
    ['Elsewhere', { ...ADDRESS, state: '33', gst: '33AAAAR6720M1ZG' }, null, { SupTyp: 'B2B', Pos: '33' }],
    ['Consumer', { ...ADDRESS, state: '07' }, null, { SupTyp: 'B2B', Pos: '07', Gstin: 'URP' }],
    ['Zone', { ...ADDRESS, place: 'sez', gst: '29AAHCM7727Q1ZI' }, null, { SupTyp: 'SEZWP', Pos: '29' }],
    [
      'Abroad',
      { addressLine1: '1 Souk', city: 'Dubai', place: 'abroad', country: 'AE' },
      null,
      { SupTyp: 'EXPWP', Pos: '96', Gstin: 'URP' },
    ],
    [
      'Abroad without tax',
      { addressLine1: '1 Souk', city: 'Dubai', place: 'abroad', country: 'AE' },
      'AD290000000000X',
      { SupTyp: 'EXPWOP', Pos: '96' },
    ],
  ]
  test.each(KINDS)(
    '%s: the form is valid and the PDF shows the same facts',
    async (name, billing, undertaking, says) => {
      const customer = await customerOfOctober(name, billing)
      await settings({ undertakings: undertaking === null ? [] : [{ year: '26-27', number: undertaking }] })
      const number = await issue(customer, '2026-10')
      await settings({ undertakings: [] })
      const note = (await credit(number, [1, 12.34])).body.number as string
      for (const each of [number, note]) {
        const form = JSON.parse(String(await file('json', each)))
        expect([validate(form), validate.errors]).toEqual([true, null])
        expect({ ...form.TranDtls, ...form.BuyerDtls }).toMatchObject(says)
        expect(form.DocDtls).toEqual({ Typ: each === note ? 'CRN' : 'INV', No: each, Dt: '05/11/2026' })
        const { AssVal, CgstVal, SgstVal, IgstVal, RndOffAmt, TotInvVal } = form.ValDtls
        expect(Math.round((AssVal + CgstVal + SgstVal + IgstVal + RndOffAmt) * 100)).toBe(Math.round(TotInvVal * 100))
        const pdf = await file('pdf', each)
        const text = await pdfText(pdf)
        const { document } = (await read(each)) as { document: TaxDocument }
        for (const fact of factsOf(document)) expect(text).toContain(fact)
        // Tax heads that do not apply have no column, and credit notes show no bank account.
        const { cgstPaise, igstPaise } = document.totals
        expect({ cgst: text.includes('CGST'), igst: text.includes('IGST'), pay: text.includes('Pay to') }).toEqual({
          cgst: cgstPaise > 0,
          igst: igstPaise > 0,
          pay: each === number,
        })
        expect(text.includes(`(${undertaking})`)).toBe(undertaking !== null)
        for (const figure of [AssVal, CgstVal, SgstVal, IgstVal, TotInvVal].filter((value) => value > 0))
          expect(text).toContain(rupees(figure))
        for (const { PrdDesc, TotItemVal } of form.ItemList) {
          expect(text).toContain(PrdDesc)
          expect(text).toContain(rupees(TotItemVal))
        }
        expect(JSON.parse(await pdfAttachment(pdf, 'inv-01.json'))).toEqual(form)
      }
    },
  )

  const rupees = (value: number) => new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(value)
  const factsOf = ({ kind, number, supplier, customer, placeOfSupply, words, of, endorsement, lines }: TaxDocument) => [
    kind === 'invoice' ? 'Tax Invoice' : 'Credit Note',
    number!,
    '05/11/2026',
    supplier.legalName,
    `GSTIN ${supplier.gstin}`,
    supplier.address.line1,
    customer.legalName,
    customer.gstin ?? 'not registered',
    customer.address.line1,
    `${placeOfSupply.name} (${placeOfSupply.code})`,
    'Reverse charge',
    '998315',
    words,
    'Authorised signatory',
    ...(of === null ? [] : [`Against invoice ${of.number} of 05/11/2026`]),
    ...(endorsement === null ? [] : [endorsement]),
    ...lines.map(({ machine }) => machine),
  ]

  test("records the e-invoice portal's reply once, for the right document, and shows it in the PDF", async () => {
    const customer = await customerOfOctober('Registered', { ...ADDRESS, gst: '29AABCR1718E1ZL' })
    const number = await issue(customer, '2026-10')
    const before = await file('pdf', number)
    const { expectedIrn } = await read(number)
    const register = (irn: string, ackDate = '2026-11-04T18:31:00Z') =>
      send('POST', '/admin/invoice/registration', {
        number,
        irn,
        ackNumber: '112010036563310',
        ackDate,
        signedQr: `eyJhbGciOiJSUzI1NiJ9.${'e'.repeat(400)}.${'s'.repeat(340)}`,
      })
    expect(await register('0'.repeat(64))).toMatchObject({ status: 400 })
    expect(await register(expectedIrn, '2027-11-05T06:30:00Z')).toMatchObject({
      status: 400,
      body: { message: 'ackDate must not be in the future.' },
    })
    expect(await register(expectedIrn, '2026-11-04T18:29:59Z')).toMatchObject({
      status: 400,
      body: { message: 'ackDate must not be before the date of the document.' },
    })
    expect(await register(expectedIrn)).toMatchObject({ status: 200, body: { message: `${number} registered.` } })
    expect(await register(expectedIrn)).toMatchObject({ status: 409 })
    const text = await pdfText(await file('pdf', number))
    expect(text).toContain(expectedIrn)
    expect(text).toContain('112010036563310 of 2026-11-05 00:01')
    expect(JSON.parse(String(await file('json', number)))).toMatchObject({ Irn: expectedIrn })
    const { pdf } = await db
      .selectFrom('tax_document')
      .select('pdf')
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    expect(before.equals(pdf)).toBe(true)
  })

  test('e-mails a document to the billing addresses, otherwise to the admins, with a fixed key', async () => {
    const [mailed, without] = [await customerOfOctober('Mailed'), await customerOfOctober('Unmailed')]
    for (const email of ['zoe@unmailed.test', 'abe@unmailed.test']) {
      const admin = { email, role: 'admin', organisation_id: without.id, password_hash: 'none' } as const
      await portal.owner.insertInto('portal_user').values(admin).execute()
    }
    const admins = ['abe@unmailed.test', without.admin, 'zoe@unmailed.test']
    expect(await billingEmailsOf(db, without.id)).toEqual(admins)
    await send('PATCH', '/admin/organization/billing', {
      organization: 'Mailed',
      emails: ['a@mailed.test', 'b@mailed.test'],
    })
    for (const customer of [mailed, without]) {
      const number = await issue(customer, '2026-10')
      const { id } = await db
        .selectFrom('tax_document')
        .select('id')
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
      const once = async () => mailDocument(env.parts, 'issued')({ document: id }, new AbortController().signal)
      await once()
      await once()
      const { mails } = (await (await fetch(`${env.emulator.url}/_truth?part=mails`)).json()) as {
        mails: { to: string[]; subject: string; text: string }[]
      }
      const to = mails.filter(({ subject }) => subject === `Tax Invoice ${number} from ${SETTINGS.legalName}`)
      expect(new Set(to.flatMap((mail) => mail.to))).toEqual(
        new Set(customer === mailed ? ['a@mailed.test', 'b@mailed.test'] : admins),
      )
      expect(to[0]!.text).toContain(`/ledger/invoice?number=${encodeURIComponent(number)}`)
    }
    const { rows } = await sql`select from pgboss.job where name = 'invoice.mail'`.execute(portal.owner)
    expect(rows.length).toBeGreaterThan(2)
  })
})

test('credits up to the whole invoice and never more', async () => {
  const customer = await addCustomer(portal, 'Credited', 3, { ...ADDRESS, state: '33' })
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T05:07:13Z')
  const number = await issue(customer, '2026-10')
  const whole = (await read(number)).document as TaxDocument
  const taxable = whole.totals.taxablePaise
  expect((await credit(number, [1, taxable / 100 + 0.01])).body.message).toMatch(
    /^At most ₹[\d.]+ of item 1 can be credited/,
  )
  expect((await credit(number, [2, 1])).status).toBe(400)
  expect((await credit(number, [1, 1], [1, 1])).status).toBe(400)
  const first = (await credit(number, [1, 3.33])).body.number as string
  expect((await credit(first, [1, 1])).status).toBe(409)
  const answers = await Promise.all(Array.from({ length: 20 }, () => credit(number, [1, 5])))
  const fit = Math.floor((taxable - 333) / 500)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(Math.min(20, fit))
  const left = taxable - 333 - 500 * Math.min(20, fit)
  expect((await credit(number, [1, left / 100])).status).toBe(200)
  expect((await credit(number, [1, 0.01])).status).toBe(409)
  const { credited, notes } = await read(number)
  expect(credited).toEqual({ items: [taxable], totalPaise: whole.totals.totalPaise })
  const taken = await Promise.all(notes.map(async (each: string) => (await read(each)).document as TaxDocument))
  expect(taken.reduce((sum, { totals }) => sum + totals.igstPaise, 0)).toBe(whole.totals.igstPaise)
  const { legal, transactions } = await account('Credited')
  expect([legal.balance, transactions.length]).toEqual([0, 1 + notes.length])
  expect(transactions.filter(({ payment }: Body) => payment !== null)).toEqual([])
  const { ledger } = (await send('GET', '/admin/ledger')).body
  expect(ledger.find(({ name }: Body) => name === 'Credited')).toMatchObject({ invoice: 0, payment: 0, balance: 0 })
})

test('charges a line once, by the first of a manual invoice and an issued invoice', async () => {
  const cover = (name: string, id: string) =>
    send('POST', '/admin/ledger/addTransaction', {
      organization: name,
      id,
      amount: 100,
      date: '2026-11-05',
      type: 'invoice',
      covers: '2026-10',
    })
  await customerOfOctober('By hand')
  const uncharged = (name: string) => send('GET', at('/admin/usage/uncharged', { organization: name }))
  expect((await uncharged('By hand')).body).toEqual({ months: [{ month: '2026-10', amountPaise: 25_000 }] })
  expect((await cover('By hand', 'H-1')).status).toBe(200)
  expect((await uncharged('By hand')).body).toEqual({ months: [] })
  expect((await draft('By hand', '2026-10')).status).toBe(409)
  expect((await cover('By hand', 'H-2')).body.message).toContain('has no uninvoiced usage in this month')
  expect((await account('By hand')).transactions).toHaveLength(1)

  const customers = await Promise.all(['Race 1', 'Race 2', 'Race 3'].map((name) => customerOfOctober(name)))
  for (const { name, id } of customers) {
    const { digest } = (await draft(name, '2026-10')).body
    const answers = await Promise.all([
      cover(name, 'H-1'),
      send('POST', '/admin/invoices', { organization: name, month: '2026-10', digest }),
      cover(name, 'H-2'),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await unchargedLinesOf(db, id, '2026-10-01')).toEqual([])
  }
})

describe('monthly run', () => {
  test(
    'issues each invoice once, numbered without gaps, in 20 concurrent runs with killed connections',
    { tags: ['storm'] },
    async () => {
      // The job library opens its own connection on first use, which must not be killed below.
      await db.transaction().execute((tx) => jobs.enqueue(tx, invoiceMail, []))
      const names = Array.from({ length: 15 }, (_, index) => `Parallel ${index}`)
      for (const name of names) await customerOfOctober(name, ADDRESS, 1)
      await settings({ issuing: 'automatic', issueDay: 6 })
      expect(await run()).toEqual([])
      await settings({ issueDay: 5 })
      expect(await issueDueInvoices(db, jobs, AbortSignal.abort())).toEqual([])
      const database = new URL(portal.settings['DATABASE_URL']!).pathname.slice(1)
      let killed = 0
      const runs = Array.from({ length: 20 }, () => run().catch(() => (killed += 1)))
      const done = Promise.allSettled(runs)
      for (let kills = 0; kills < 12; kills++) {
        await superuser(
          inject('testCluster'),
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and usename = 'trainyard_app'
          and xact_start is not null and query ~ 'serial|ledger_entry|tax_document|charg' limit 2`,
        )
        await sql`select pg_sleep(0.05)`.execute(portal.owner)
      }
      await done
      expect(killed).toBeGreaterThan(0)
      await run()
      expect(await run()).toEqual([])
      const { rows } = await sql<{ name: string; count: number }>`
      select o.name, count(d.id)::int as count from organisation o left join tax_document d on d.organisation_id = o.id
      where o.name like 'Parallel %' group by o.name`.execute(db)
      expect(rows).toHaveLength(15)
      expect(new Set(rows.map(({ count }) => count))).toEqual(new Set([1]))
      expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
      const { rows: audited } = await sql<{ count: number }>`
      select count(*)::int as count from audit where call = 'invoice.issue' and actor_id is null
        and detail->>'number' in (select number from tax_document)`.execute(db)
      expect(audited[0]!.count).toBeGreaterThanOrEqual(15)
    },
  )

  test('starts a new series at the end of the financial year in Kolkata', async () => {
    const customers = await Promise.all(
      ['Year 1', 'Year 2', 'Year 3', 'Year 4'].map((name) => addCustomer(portal, name, 1)),
    )
    for (const customer of customers) await addRuns(portal, customer, '2027-02-10T04:00:00Z', '2027-02-10T06:00:00Z')
    const numbers: string[] = []
    const runAt = async (instant: string, { name }: TestCustomer) => {
      await setClock(portal, instant)
      const { digest } = (await draft(name, '2027-02')).body
      const { body } = await send('POST', '/admin/invoices', { organization: name, month: '2027-02', digest })
      numbers.push(body.number)
      return (await read(body.number)).document.date as string
    }
    await settings({ issuing: 'approval' })
    expect(await runAt('2027-03-31T18:29:58Z', customers[0]!)).toBe('2027-03-31')
    expect(await runAt('2027-03-31T18:29:59Z', customers[1]!)).toBe('2027-03-31')
    expect(await runAt('2027-03-31T18:30:00Z', customers[2]!)).toBe('2027-04-01')
    expect(await runAt('2027-03-31T18:30:01Z', customers[3]!)).toBe('2027-04-01')
    expect(numbers.slice(2)).toEqual(['INV/27-28/00001', 'INV/27-28/00002'])
    expect(numbers[0]).toMatch(/^INV\/26-27\//)
    expect(Number(numbers[1]!.slice(-5))).toBe(Number(numbers[0]!.slice(-5)) + 1)
    expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
  })
})

test('keeps the ledger balance at invoices − credit notes − payments at every step', { tags: ['storm'] }, async () => {
  const MONTHS = ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01', '2027-02', '2027-03']
  await setClock(portal, '2027-05-10T06:00:00Z')
  const customer = await addCustomer(portal, 'Property', 2)
  for (const month of MONTHS) await addRuns(portal, customer, `${month}-07T04:00:00Z`, `${month}-07T09:11:17Z`)
  const add = async (entry: object) => {
    const { status } = await send('POST', '/admin/ledger/addTransaction', entry)
    if (status !== 200) throw new Error(`The ledger answered ${status}`)
  }
  const model = { invoices: 0, notes: 0, payments: 0 }
  // A deterministic pseudo-random sequence, so that every run of this test is the same.
  let seed = 16
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
  const issued: string[] = []
  for (let step = 0; step < 30; step++) {
    const what = Math.floor(random(4_000) / 1_000)
    if (what === 0 && issued.length < MONTHS.length) {
      const number = await issue(customer, MONTHS[issued.length]!)
      model.invoices += (await read(number)).document.totals.totalPaise
      issued.push(number)
    } else if (what === 1 && issued.length > 0) {
      const note = await credit(issued[random(issued.length)]!, [1, (1 + random(4_000)) / 100])
      if (note.status === 200) model.notes += (await read(note.body.number)).document.totals.totalPaise
    } else {
      const type = what === 2 ? 'invoice' : 'payment'
      const amount = 1 + random(50_000)
      const entry = { organization: customer.name, id: `E-${step}`, amount: amount / 100, date: '2027-05-01', type }
      await add(entry)
      if (type === 'invoice') model.invoices += amount
      else model.payments += amount
    }
    const { legal } = await account(customer.name)
    expect(Math.round(legal.balance * 100)).toBe(model.invoices - model.notes - model.payments)
  }
  expect(issued.length).toBeGreaterThan(2)
  expect(model.notes).toBeGreaterThan(0)
  expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
})
