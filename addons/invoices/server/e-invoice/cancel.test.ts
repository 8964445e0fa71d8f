/** @module-tag full */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  addCustomer,
  addRuns,
  addSuperadmin,
  ADDRESS,
  hearPublications,
  registration,
  senderOf,
  setClock,
  SETTINGS,
  type TestCustomer,
} from '../../test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { PaymentRow } from '@trainyard/payments/tables.gen.ts'
import { queueOf } from '@trainyard/platform/server/run/reconcile/claim.ts'
import { workOn } from '@trainyard/platform/server/run/reconcile/work.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { ageing, openInvoices } from '@trainyard/accounting/server/open.ts'
import { paymentKind } from '@trainyard/payments/server/step.ts'
import { issueInvoice } from '../issue.ts'
import { issueDueInvoices } from '../run.ts'
import { issueDueVouchers } from '../vouchers.ts'
import { mailDocument } from '../mail.ts'

const env = await sharedEnvironment()
const { portal } = env
const { db } = portal.app
const { jobQueue: jobs } = env.parts
const never = new AbortController().signal
const GST = '29AABCR1718E1ZL'
const TODAY = '2027-01-05'
let root = ''
let now = ''

const send = senderOf(portal, () => root)
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const read = async (number: string, uid = root) =>
  (await send('GET', at('/admin/invoice', { number }), undefined, uid)).body
const register = async (number: string) => {
  const { expectedIrn } = await read(number)
  return send('POST', '/admin/invoice/registration', registration(number, expectedIrn, now))
}
const cancel = (number: string, more: object = {}, uid = root) =>
  send('POST', '/admin/invoice/cancel', { number, cancelledAt: now, reason: 'data entry mistake', ...more }, uid)
const open = async ({ id }: TestCustomer) =>
  (await openInvoices(db, TODAY, { organisation: id })).map(({ invoice, open: amount }) => [invoice, amount])

async function setClocks(instant: string): Promise<void> {
  now = instant
  await setClock(portal, instant)
  await env.control('POST', '/_clock', { mode: 'stepped', set: instant })
}

async function issueMonth({ name }: TestCustomer): Promise<string> {
  const { digest } = (await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-12' }))).body
  const { body } = await send('POST', '/admin/invoices', { organization: name, month: '2026-12', digest })
  return body.number as string
}

/** Adds a customer with a registered invoice of ₹147.50: ten hours and tax. */
async function invoiced(name: string): Promise<TestCustomer & { readonly number: string; readonly uid: string }> {
  const customer = await addCustomer(portal, name, 1, { ...ADDRESS, gst: GST })
  await addRuns(portal, customer, '2026-12-05T04:00:00Z', '2026-12-05T14:00:00Z')
  const number = await issueMonth(customer)
  expect(await register(number)).toMatchObject({ status: 200 })
  return { ...customer, number, uid: await portal.sessionOf(customer.admin) }
}

const organisationId = async (name: string) =>
  (await db.selectFrom('organisation').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

const note = (kind: 'credit' | 'debit', number: string, amount: number) =>
  send('POST', `/admin/invoice/${kind}`, {
    number,
    reason: 'Wrong amount',
    items: [{ item: 1, amount }],
  })

const pay = (organization: string, id: string, amount: number, more: object = {}) =>
  send('POST', '/admin/ledger/addTransaction', {
    organization,
    type: 'payment',
    id,
    date: TODAY,
    amount,
    ...more,
  })

const exported = async (books: string, what: string, organization: string): Promise<string> => {
  const body = { books, what, from: '2027-02-01', to: '2027-02-28', organization }
  return String((await send('POST', '/admin/ledger/export', body)).body)
}

beforeAll(async () => {
  await setClocks('2027-01-05T06:00:00Z')
  root = await addSuperadmin(env)
  await send('PATCH', '/admin/supplier', {
    ...SETTINGS,
    turnover: '10 or more',
    issuing: 'automatic',
    vouchersFrom: '2026-12-01',
  })
})

test('reverses a cancelled invoice, marks it as cancelled, and lets its month be invoiced again', async () => {
  const customer = await invoiced('Cancelling')
  const { number, uid, name } = customer
  await pay(name, 'R 1', 100, { settles: number })
  expect(await open(customer)).toEqual([[number, 48_00]])
  expect((await read(number)).cancellation).toBeNull()
  expect((await cancel(number, {}, uid)).status).toBe(403)

  const { status, body } = await cancel(number)
  expect([status, body.message]).toEqual([200, `${number} is cancelled.`])
  for (const user of [root, uid])
    expect((await read(number, user)).cancellation).toEqual({
      cancelledAt: '2027-01-05T06:00:00.000Z',
      reason: 'data entry mistake',
    })
  for (const kind of ['credit', 'debit'] as const)
    expect((await note(kind, number, 1)).body.message).toBe(`${number} is cancelled.`)
  const writeOff = { organization: name, invoice: number, amount: 1, reason: 'Small', date: TODAY }
  expect((await send('POST', '/admin/ledger/writeOff', writeOff)).body.message).toBe(
    `${name} has no open invoice ${number}.`,
  )
  expect((await register(number)).body.message).toBe(`${number} is already registered.`)
  const { documents } = (await send('GET', '/admin/invoices', undefined, uid)).body
  expect(documents).toMatchObject([{ number, cancelled: true }])
  const pdf = (await send('POST', '/admin/invoice/pdf', { number }, uid)).body as Buffer
  expect(await pdfText(pdf)).toContain('CANCELLED ON 05/01/2027. THIS DOCUMENT IS NOT VALID.')
  expect([await balanceOf(db, customer.id), await open(customer)]).toEqual([-100_00, []])
  const { transactions } = (await send('GET', '/admin/ledger/accounts', undefined, uid)).body
  expect(transactions.at(-1)).toMatchObject({
    kind: 'invoice reversal',
    date: TODAY,
    invoice: -148,
    particular: `Cancellation of the tax invoice ${number}`,
  })
  const { id } = await db.selectFrom('tax_document').select('id').where('number', '=', number).executeTakeFirstOrThrow()
  for (const event of ['issued', 'cancelled'] as const) await mailDocument(env.parts, event)({ document: id }, never)
  const { mails } = (await env.truth('mails')) as unknown as { mails: { subject: string; text: string }[] }
  const mailed = mails.filter(({ subject }) => subject.includes(number))
  expect(mailed.map(({ subject }) => subject)).toEqual([`Cancelled: Tax Invoice ${number} from ${SETTINGS.legalName}`])

  // The monthly run does not repeat the mistake. A superadmin issues the month again, with the next number.
  expect(await issueDueInvoices(db, jobs, never)).toEqual([])
  const { rows } = (await send('GET', at('/admin/invoices/preview', { month: '2026-12' }))).body
  expect(rows).toMatchObject([{ organization: name, cancelled: number, totalPaise: 148_00 }])
  const due = { organisation: customer.id, month: '2026-12', digest: null, by: 'monthly run' }
  await expect(db.transaction().execute((tx) => issueInvoice(tx, jobs, due))).rejects.toThrow(`${number} for December`)
  const again = await issueMonth(customer)
  expect(again).toBe(number.replace(/\d{5}$/, (serial) => String(Number(serial) + 1).padStart(5, '0')))
  expect(await open(customer)).toEqual([[again, 48_00]])
  expect((await ageing(db, TODAY)).find((row) => row.organization === name)?.totalPaise).toBe(48_00)
  const draft = await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-12' }))
  expect(draft.status).toBe(409)
  const audited = await sql`select from audit where call = 'invoice.cancel' and refused is null
    and detail::text like ${`%${number}%`}`.execute(portal.owner)
  expect(audited.rows).toHaveLength(1)
})

test('leaves cancelled documents out of GSTR-1 and exports, and counts them as cancelled', async () => {
  await setClocks('2027-02-03T06:00:00Z')
  const { name, number, id } = await invoiced('Returned')
  const heard = hearPublications()
  const month = '2027-02'
  const readReturn = async () => (await send('GET', at('/admin/gstr-1', { month }))).body
  const unexplained = ({ accounts }: Awaited<ReturnType<typeof readReturn>>) =>
    accounts.map((each: Record<string, number>) => each['ledgerPaise']! - each['returnPaise']! - each['listedPaise']!)
  const valid = await readReturn()
  expect([valid.entries, valid.tables[0].taxablePaise, ...unexplained(valid)]).toEqual([[], 125_00, 0, 0, 0, 0])
  const balance = async () => {
    const { body } = await send('GET', at('/admin/ledger/trial-balance', { on: '2027-02-28' }))
    type Account = Record<'debitPaise' | 'creditPaise', number> & { account: string }
    return (body.accounts as Account[]).map((each) => [each.account, each.debitPaise - each.creditPaise] as const)
  }
  const before = new Map(await balance())
  await cancel(number)
  const shown = await readReturn()
  expect([shown.tables, shown.entries, ...unexplained(shown)]).toEqual([[], [], 0, 0, 0, 0])
  const file = (await send('POST', '/admin/gstr-1/json', { month })).body
  expect(file.doc_issue.doc_det).toEqual([
    { doc_num: 1, docs: [{ num: 1, from: number, to: number, totnum: 1, cancel: 1, net_issue: 0 }] },
  ])
  const changes = (await balance()).map(([account, paise]) => [account, paise - before.get(account)!] as const)
  expect(Object.fromEntries(changes.filter(([, paise]) => paise !== 0))).toEqual({
    Receivable: -148_00,
    Sales: 125_00,
    'Output CGST': 11_25,
    'Output SGST': 11_25,
    'Round Off': 50,
  })
  expect(await balanceOf(db, id)).toBe(0)
  expect(heard).toMatchObject([
    { organisation: id, type: 'invoice.reversed', data: { refersTo: number, amountPaise: 148_00 } },
  ])

  const xml = await exported('tally xml', 'all entries', name)
  const vouchers = [...xml.matchAll(/<VOUCHER .*?<\/VOUCHER>/gs)].map(([voucher]) => voucher)
  expect(vouchers).toHaveLength(1)
  expect(vouchers[0]).toContain(`<VOUCHERNUMBER>${number}</VOUCHERNUMBER>`)
  expect(vouchers[0]).toContain('<ISCANCELLED>Yes</ISCANCELLED></VOUCHER>')
  expect(vouchers[0]).not.toContain('LEDGERENTRIES')
  for (const [books, what] of [
    ['tally', 'all entries'],
    ['zoho', 'invoices'],
    ['zoho', 'corrections'],
  ] as const)
    expect((await exported(books, what, name)).trim().split('\n')).toHaveLength(1)
})

test('refuses to cancel what cannot be cancelled, with the reason', async () => {
  await setClocks('2027-03-03T06:00:00Z')
  const { number, name } = await invoiced('Refusing')
  const refusal = async (of: string, more: object = {}) => {
    const { status, body } = await cancel(of, more)
    return [status, body.message]
  }
  expect((await cancel(number, { reason: '5' })).status).toBe(400)
  expect(await refusal(number, { cancelledAt: '2027-03-03T06:00:01Z' })).toEqual([
    400,
    'cancelledAt must not be in the future.',
  ])
  const debit = (await note('debit', number, 10)).body.number as string
  await register(debit)
  const credit = (await note('credit', number, 130)).body.number as string
  expect(await refusal(credit)).toEqual([
    409,
    `${credit} is not registered at the e-invoice portal. To correct it, issue a debit note for its invoice.`,
  ])
  for (const each of [number, debit])
    expect(await refusal(each)).toEqual([409, `${credit} refers to ${each} or to its invoice. Cancel ${credit} first.`])
  await register(credit)

  // The notes are cancelled, the newest first. Then the invoice is open again, and can be credited completely.
  const customer = { id: await organisationId(name) } as TestCustomer
  expect(await open(customer)).toEqual([[debit, 6_60]])
  expect((await cancel(credit)).status).toBe(200)
  expect(await open(customer)).toEqual([
    [number, 148_00],
    [debit, 12_00],
  ])
  expect(await read(number)).toMatchObject({ notes: [], debitNotes: [debit], credited: { totalPaise: 0 } })
  expect(await refusal(credit)).toEqual([409, `${credit} is already cancelled.`])
  expect((await cancel(debit)).status).toBe(200)
  expect((await note('credit', number, 126)).body.message).toBe('At most ₹125.00 of item 1 can be credited.')
  const writtenOff = { organization: name, invoice: number, amount: 1, reason: 'Small', date: '2027-03-03' }
  expect((await send('POST', '/admin/ledger/writeOff', writtenOff)).status).toBe(200)
  expect(await refusal(number)).toEqual([409, `A part of ${number} is written off, so it cannot be cancelled.`])
})

test('records a cancellation until 24 hours after the registration, also if it is recorded later', async () => {
  await setClocks('2027-04-03T06:00:00Z')
  const [inTime, late] = [await invoiced('In Time'), await invoiced('Late')]
  await setClocks('2027-04-07T06:00:00Z')
  for (const cancelledAt of ['2027-04-03T05:59:59Z', '2027-04-04T06:00:01Z', now]) {
    const { status, body } = await cancel(late.number, { cancelledAt })
    expect([status, body.message]).toEqual([
      409,
      `The e-invoice portal cancels ${late.number} only within 24 hours of its registration. Check the date. To correct it, issue a credit note.`,
    ])
  }
  expect((await read(late.number)).cancellation).toBeNull()
  expect(await open(late)).toEqual([[late.number, 148_00]])
  expect((await note('credit', late.number, 125)).status).toBe(200)

  expect((await cancel(inTime.number, { cancelledAt: '2027-04-04T06:00:00Z' })).status).toBe(200)
  expect(await open(inTime)).toEqual([])
  const { transactions } = (await send('GET', '/admin/ledger/accounts', undefined, inTime.uid)).body
  expect(transactions.at(-1)).toMatchObject({ kind: 'invoice reversal', date: '2027-04-03' })
  const pdf = (await send('POST', '/admin/invoice/pdf', { number: inTime.number }, inTime.uid)).body as Buffer
  expect(await pdfText(pdf)).toContain('CANCELLED ON 04/04/2027.')
})

test('returns the advance that a cancelled invoice used up, and makes its payments advances', async () => {
  await setClocks('2027-05-03T06:00:00Z')
  const customer = await addCustomer(portal, 'Advancing', 1, { ...ADDRESS, gst: GST })
  await pay(customer.name, 'A 1', 59, { date: '2027-04-30' })
  await issueDueVouchers(db, jobs, never)
  await addRuns(portal, customer, '2027-04-05T04:00:00Z', '2027-04-05T14:00:00Z')
  const { digest } = (await send('GET', at('/admin/invoices/draft', { organization: customer.name, month: '2027-04' })))
    .body
  const issue = { organization: customer.name, month: '2027-04', digest }
  const { number } = (await send('POST', '/admin/invoices', issue)).body
  await register(number)
  await pay(customer.name, 'A 2', 89, { date: '2027-05-03', settles: number })
  const advances = async () =>
    (await send('GET', at('/admin/gstr-1', { month: '2027-05' }))).body.tables
      .filter(({ table }: { table: string }) => table === 'at' || table === 'txpd')
      .map((each: Record<string, unknown>) => [each['table'], each['taxablePaise']])
  expect(await advances()).toEqual([['txpd', 50_00]])
  await cancel(number)
  expect(await balanceOf(db, customer.id)).toBe(-148_00)
  expect(await advances()).toEqual([])
  expect(await issueDueVouchers(db, jobs, never)).toHaveLength(1)
  expect(await advances()).toEqual([['at', 75_42]])
  expect((await send('GET', at('/admin/gstr-1', { month: '2027-05' }))).body.entries).toEqual([])
  const uid = await portal.sessionOf(customer.admin)
  const order = { amount: 10, invoice: number }
  expect((await send('POST', '/admin/ledger/order', order, uid)).status).toBe(404)
})

test('credits online payments of a cancelled invoice on account, and records their refunds', async () => {
  await setClocks('2027-07-03T06:00:00Z')
  const { number, id, name, uid } = await invoiced('Paying Online')
  const ordered = async (amount: number) =>
    (await send('POST', '/admin/ledger/order', { amount, invoice: number }, uid)).body
  const [before, after] = [await ordered(100), await ordered(48)]
  const payOrder = async ({ order_id, amount }: { order_id: string; amount: number }) => {
    const { payment_id, signature } = (await env.control('POST', '/_payments', { order_id })).body
    const paid = { payment_id, order_id, signature, amount }
    return { ...paid, verified: (await send('POST', '/admin/ledger/paymentVerify', paid, uid)).status }
  }
  const paid = await payOrder(before)
  await cancel(number)
  expect((await read(number)).cancellation).not.toBeNull()
  expect((await payOrder(after)).verified).toBe(200)
  expect(await balanceOf(db, id)).toBe(-148_00)

  await env.control('POST', `/_payments/${paid.payment_id}/refund`, {})
  await sql`update payment set reconcile_at = case when order_id = ${paid.order_id} then portal_now() end,
    leased_until = null`.execute(portal.owner)
  const [claimed] = await queueOf<PaymentRow>('payment').claimDue(db, 1, 60)
  const noBug = (bug: unknown) => expect.unreachable(String(bug))
  await workOn(db, paymentKind(env.parts.payments!), claimed!, AbortSignal.timeout(10_000), noBug)
  expect(await balanceOf(db, id)).toBe(-48_00)
  const again = await issueMonth({ id, name, admin: '' })
  expect(await open({ id, name, admin: '' })).toEqual([[again, 100_00]])
})

test('rejects in the database what contradicts the e-invoice portal', async () => {
  await setClocks('2027-08-03T06:00:00Z')
  const { number, id } = await invoiced('Protected')
  const { id: document, total_paise: total } = await db
    .selectFrom('tax_document')
    .select(['id', 'total_paise'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  const reversal = sql`insert into ledger_entry
      (organisation_id, kind, reference, reverses, particular, amount_paise, date, source, created_by)
    values (${id}, 'invoice reversal', ${`Cancellation of ${number}`}, ${number}, 'x', ${total}, '2027-08-03', 'issued', 'x')`
  const cancellation = (at: string) => sql`insert into e_invoice_cancellation
      (document_id, cancelled_at, reason, pdf, recorded_by)
    values (${document}, ${at}::timestamptz, 'other', '', 'x')`
  await expect(reversal.execute(db)).rejects.toThrow('Only a cancelled document can be reversed')
  await expect(cancellation(now).execute(db)).rejects.toThrow('must be reversed')
  for (const at of ['2027-08-03T05:59:59Z', '2027-08-04T06:00:01Z'])
    await expect(cancellation(at).execute(db)).rejects.toThrow('only within 24 hours of its registration')
  await expect(cancellation('2027-08-03T06:00:01Z').execute(db)).rejects.toThrow('e_invoice_cancellation_past')
  expect((await read(number)).cancellation).toBeNull()

  await cancel(number)
  const change = sql`update e_invoice_cancellation set reason = 'duplicate' where document_id = ${document}`
  await expect(change.execute(db)).rejects.toThrow('permission denied')
  const writeOff = sql`insert into ledger_entry
      (organisation_id, kind, reference, settles, particular, amount_paise, date, source, created_by)
    values (${id}, 'write-off', 'x', ${number}, 'x', 100, '2027-06-03', 'manual', 'x')`
  await expect(writeOff.execute(db)).rejects.toThrow(`${number} is cancelled`)
})

test('leaves the ledger without a broken rule', async () => {
  const broken = await brokenInvariants(portal.owner, { quiet: false })
  expect(broken.filter(({ name }) => name.startsWith('L'))).toEqual([])
})
