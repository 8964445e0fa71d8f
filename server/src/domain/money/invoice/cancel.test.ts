import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { eInvoiceSettings, emulatedIrp, setBothClocks } from '#test/e-invoices.ts'
import { addCustomer, addRuns, addSuperadmin, ADDRESS, senderOf, SETTINGS, type TestCustomer } from '#test/invoicing.ts'
import { pdfText } from '#test/pdf.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import type { irpEInvoices } from '../../../providers/irp/e-invoices.ts'
import type { PaymentRow } from '../../../db/tables/payments.gen.ts'
import { queueOf } from '../../../reconcile/claim.ts'
import { workOn } from '../../../reconcile/work.ts'
import { findAccount } from '../../people/user/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { ageing, openInvoices } from '../ledger/open.ts'
import { paymentKind } from '../payment/step.ts'
import { requestCancellation } from './cancel.ts'
import { cancelDueDocuments } from './cancel-due.ts'
import { issueInvoice } from './issue.ts'
import { registerDueDocuments } from './register-due.ts'
import { issueDueInvoices } from './run.ts'
import { issueDueVouchers } from './vouchers.ts'

const env = await sharedEnvironment({ settings: eInvoiceSettings() })
const { portal } = env
const { db } = portal.app
const { jobQueue: jobs, jobHandlers } = env.parts
const never = new AbortController().signal
const GST = '29AABCR1718E1ZL'
const TODAY = '2027-01-05'
let root = ''
let irp: ReturnType<typeof irpEInvoices>

const send = senderOf(portal, () => root)
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const read = async (number: string, uid = root) =>
  (await send('GET', at('/admin/invoice', { number }), undefined, uid)).body
const cancel = (number: string, more: object = {}, uid = root) =>
  send('POST', '/admin/invoice/cancel', { number, reason: 'data entry mistake', remark: 'Wrong price', ...more }, uid)
const register = () => registerDueDocuments(db, irp, jobs, never)
const sendCancellations = () => cancelDueDocuments(db, irp, jobs, never)
const fault = (kind: string, operation: string) => env.control('POST', '/_faults', { kind, operation, times: 1 })
const cancelledAtPortal = async () => (await env.control('GET', '/_irp')).body.cancelled as number
const open = async ({ id }: TestCustomer) =>
  (await openInvoices(db, TODAY, { organisation: id })).map(({ invoice, open: amount }) => [invoice, amount])

const setClocks = (instant: string) => setBothClocks(env, instant)

/** Ends the pause after a failed attempt. */
const retry = () => sql`update e_invoice_cancellation set next_at = portal_now()`.execute(portal.owner)

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
  await register()
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
  irp = (await emulatedIrp(env))()
  await setClocks('2027-01-05T06:00:00Z')
  root = await addSuperadmin(env)
  await send('PATCH', '/admin/supplier', {
    ...SETTINGS,
    turnover: '10 or more',
    issuing: 'automatic',
    vouchersFrom: '2026-12-01',
  })
})
afterEach(async () => {
  await env.control('DELETE', '/_faults')
})

test('reverses a cancelled invoice, marks it as cancelled, and lets its month be invoiced again', async () => {
  const customer = await invoiced('Cancelling')
  const { number, uid, name } = customer
  await pay(name, 'R 1', 100, { settles: number })
  expect(await open(customer)).toEqual([[number, 48_00]])
  expect((await read(number)).cancelUntil).toBe('2027-01-06T06:00:00.000Z')
  expect((await read(number, uid)).cancelUntil).toBeNull()
  expect((await cancel(number, {}, uid)).status).toBe(403)

  expect((await cancel(number)).status).toBe(200)
  expect((await read(number)).cancellation).toMatchObject({
    state: 'cancelling',
    reason: 'data entry mistake',
    remark: 'Wrong price',
    endedAt: null,
  })
  expect((await read(number, uid)).cancellation).toBeNull()
  expect(await open(customer)).toEqual([[number, 48_00]])
  expect((await note('credit', number, 1)).body.message).toBe(
    `The cancellation of ${number} is requested. Wait until the e-invoice portal has decided.`,
  )
  const writeOff = { organization: name, invoice: number, amount: 1, reason: 'Small', date: TODAY }
  expect((await send('POST', '/admin/ledger/writeOff', writeOff)).body.message).toBe(
    `${number} is being cancelled at the e-invoice portal.`,
  )

  const before = await cancelledAtPortal()
  await sendCancellations()
  await sendCancellations()
  await register()
  expect(await cancelledAtPortal()).toBe(before + 1)
  expect((await read(number, uid)).cancellation).toMatchObject({
    state: 'cancelled',
    reason: 'data entry mistake',
    endedAt: '2027-01-05T06:00:00.000Z',
    remark: null,
    problem: null,
  })
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
  for (const event of ['invoice.mail', 'invoice.cancelled'] as const) await jobHandlers[event]({ document: id }, never)
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
  const calls = await sql<{ call: string }>`
    select call from audit where call like 'invoice.cancel%' and detail::text like ${`%${number}%`} order by id`.execute(
    portal.owner,
  )
  expect(calls.rows.map(({ call }) => call)).toContain('invoice.cancelled')
})

test('leaves cancelled documents out of GSTR-1 and exports, and counts them as cancelled', async () => {
  await setClocks('2027-02-03T06:00:00Z')
  const { name, number, id } = await invoiced('Returned')
  const url = 'https://hooks.example.com/'
  const endpoint = { organisation_id: id, url, description: '', secret: Buffer.from('none') }
  await portal.owner
    .insertInto('webhook_endpoint')
    .values({ ...endpoint, events: ['invoice.reversed'] })
    .execute()
  const month = '2027-02'
  const readReturn = async () => (await send('GET', at('/admin/gstr-1', { month }))).body
  const unexplained = ({ accounts }: Awaited<ReturnType<typeof readReturn>>) =>
    accounts.map((each: Record<string, number>) => each['ledgerPaise']! - each['returnPaise']! - each['listedPaise']!)
  await cancel(number)
  const pending = await readReturn()
  expect(pending.entries).toMatchObject([
    { number, reason: expect.stringContaining('cancellation is requested') as unknown },
  ])
  expect([pending.tables[0].taxablePaise, ...unexplained(pending)]).toEqual([125_00, 0, 0, 0, 0])
  const balance = async () => {
    const { body } = await send('GET', at('/admin/ledger/trial-balance', { on: '2027-02-28' }))
    type Account = Record<'debitPaise' | 'creditPaise', number> & { account: string }
    return (body.accounts as Account[]).map((each) => [each.account, each.debitPaise - each.creditPaise] as const)
  }
  const before = new Map(await balance())
  await sendCancellations()
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
  const events = await portal.owner
    .selectFrom('webhook_event')
    .select('data')
    .where('organisation_id', '=', id)
    .execute()
  expect(events).toMatchObject([{ data: { refersTo: number, amountPaise: 148_00 } }])

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
  expect((await cancel(number, { remark: 'x'.repeat(101) })).status).toBe(400)
  expect((await cancel(number, { reason: '5' })).status).toBe(400)
  const debit = (await note('debit', number, 10)).body.number as string
  await register()
  const credit = (await note('credit', number, 130)).body.number as string
  expect(await refusal(credit)).toEqual([
    409,
    `${credit} is not registered at the e-invoice portal. To correct it, issue a debit note for its invoice.`,
  ])
  for (const each of [number, debit])
    expect(await refusal(each)).toEqual([409, `${credit} refers to ${each} or to its invoice. Cancel ${credit} first.`])
  await register()

  // The notes are cancelled, the newest first. Then the invoice is open again, and can be credited completely.
  const customer = { id: await organisationId(name) } as TestCustomer
  expect(await open(customer)).toEqual([[debit, 6_60]])
  expect((await cancel(credit)).status).toBe(200)
  expect((await note('debit', number, 10)).body.message).toContain(`The cancellation of ${credit} is requested.`)
  await sendCancellations()
  expect(await open(customer)).toEqual([
    [number, 148_00],
    [debit, 12_00],
  ])
  expect(await read(number)).toMatchObject({ notes: [], debitNotes: [debit], credited: { totalPaise: 0 } })
  expect(await refusal(credit)).toEqual([409, `${credit} is already cancelled.`])
  expect((await cancel(debit)).status).toBe(200)
  await sendCancellations()
  expect((await note('credit', number, 126)).body.message).toBe('At most ₹125.00 of item 1 can be credited.')
  const writtenOff = { organization: name, invoice: number, amount: 1, reason: 'Small', date: '2027-03-03' }
  expect((await send('POST', '/admin/ledger/writeOff', writtenOff)).status).toBe(200)
  expect(await refusal(number)).toEqual([409, `A part of ${number} is written off, so it cannot be cancelled.`])

  await setClocks('2027-03-04T06:00:00Z')
  const late = await invoiced('Late')
  await setClocks('2027-03-05T06:00:01Z')
  expect((await read(late.number)).cancelUntil).toBeNull()
  expect(await refusal(late.number)).toEqual([
    409,
    `${late.number} was registered more than 24 hours ago, and the e-invoice portal no longer cancels it. To correct it, issue a credit note.`,
  ])
  const { actor } = (await findAccount(portal.owner, { email: 'root@portal.test' }))!
  const request = { number: late.number, reason: 'other', remark: 'Not needed' } as const
  await expect(db.transaction().execute((tx) => requestCancellation(tx, actor, request, false))).rejects.toThrow(
    'This portal is not connected to the e-invoice portal',
  )
})

test('counts a cancellation whose reply was lost, and ends one that the portal refuses', async () => {
  await setClocks('2027-04-03T06:00:00Z')
  const lost = await invoiced('Lost Cancellation')
  const before = await cancelledAtPortal()
  await cancel(lost.number)
  await fault('loseReply', 'Irp_Cancel')
  await sendCancellations()
  expect(await cancelledAtPortal()).toBe(before + 1)
  const problem = 'The e-invoice portal does not respond.'
  expect((await read(lost.number)).cancellation).toMatchObject({ state: 'cancelling', problem })
  await sendCancellations()
  expect((await read(lost.number)).cancellation.state).toBe('cancelling')
  await retry()
  await sendCancellations()
  expect((await read(lost.number)).cancellation).toMatchObject({ state: 'cancelled', problem: null })

  const [forged, late] = [await invoiced('Forged Cancellation'), await invoiced('Refused Cancellation')]
  await cancel(forged.number)
  await env.control('POST', '/_irp', { wrongIrn: 'a'.repeat(64) })
  await sendCancellations()
  await env.control('POST', '/_irp', { wrongIrn: null })
  expect((await read(forged.number)).cancellation).toMatchObject({
    state: 'cancelling',
    problem: 'The e-invoice portal answered with the IRN of another document.',
  })
  await cancel(late.number)
  await fault('serverError', 'Irp_Cancel')
  await sendCancellations()
  await setClocks('2027-04-04T06:00:01Z')
  await sendCancellations()
  const words = '2270: The allowed cancellation time limit is crossed, you cannot cancel the IRN'
  expect((await read(late.number)).cancellation).toMatchObject({ state: 'refused', problem: words })
  expect(await open(late)).toEqual([[late.number, 148_00]])
  expect((await send('GET', '/admin/invoices/preview')).body.cancellations).toEqual([
    { number: late.number, organization: late.name, state: 'refused', problem: words },
  ])
  expect((await cancel(late.number)).body.message).toBe(
    `The e-invoice portal refused to cancel ${late.number}. To correct it, issue a credit note.`,
  )
  expect((await note('credit', late.number, 125)).status).toBe(200)
  // The forged reply hid that the portal had cancelled the document in time.
  expect((await read(forged.number)).cancellation.state).toBe('cancelled')

  // The portal no longer returns the registration, so the result of an earlier request is unknown.
  const unread = await invoiced('Unread Cancellation')
  await cancel(unread.number)
  await setClocks('2027-04-06T06:00:02Z')
  await sendCancellations()
  expect((await read(unread.number)).cancellation).toMatchObject({
    state: 'cancelling',
    problem: '2283: IRN details cannot be provided as it is generated more than 2 days prior',
  })
  const recordResult = (result: string, of = unread, uid = root) =>
    send('POST', '/admin/invoice/cancel/result', { number: of.number, result }, uid)
  const shownAsValid = await invoiced('Valid At Portal')
  await cancel(shownAsValid.number)
  expect((await recordResult('valid', shownAsValid)).body.message).toContain(
    'Record the result 25 hours after the request.',
  )
  expect((await recordResult('cancelled', unread, unread.uid)).status).toBe(403)
  expect((await recordResult('cancelled')).status).toBe(200)
  expect((await read(unread.number)).cancellation).toMatchObject({ state: 'cancelled', problem: null })
  expect(await open(unread)).toEqual([])
  expect((await recordResult('valid')).body.message).toBe(`${unread.number} has no cancellation without a result.`)
  await setClocks('2027-04-07T07:00:03Z')
  expect((await recordResult('valid', shownAsValid)).status).toBe(200)
  expect((await read(shownAsValid.number)).cancellation.state).toBe('refused')
  expect((await note('credit', shownAsValid.number, 125)).status).toBe(200)
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
  await register()
  await pay(customer.name, 'A 2', 89, { date: '2027-05-03', settles: number })
  const advances = async () =>
    (await send('GET', at('/admin/gstr-1', { month: '2027-05' }))).body.tables
      .filter(({ table }: { table: string }) => table === 'at' || table === 'txpd')
      .map((each: Record<string, unknown>) => [each['table'], each['taxablePaise']])
  expect(await advances()).toEqual([['txpd', 50_00]])
  await cancel(number)
  await sendCancellations()
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
  await sendCancellations()
  expect((await read(number)).cancellation.state).toBe('cancelled')
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
  await setClocks('2027-06-03T06:00:00Z')
  const { number, id } = await invoiced('Protected')
  const { id: document, total_paise: total } = await db
    .selectFrom('tax_document')
    .select(['id', 'total_paise'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  const reversal = sql`insert into ledger_entry
      (organisation_id, kind, reference, reverses, particular, amount_paise, date, source, created_by)
    values (${id}, 'invoice reversal', ${`Cancellation of ${number}`}, ${number}, 'x', ${total}, '2027-06-03', 'issued', 'x')`
  await expect(reversal.execute(db)).rejects.toThrow('Only a cancelled document can be reversed')
  await cancel(number)
  await expect(reversal.execute(db)).rejects.toThrow('Only a cancelled document can be reversed')
  const set = (changes: string) =>
    sql`update e_invoice_cancellation set ${sql.raw(changes)} where document_id = ${document}`.execute(db)
  await expect(set(`state = 'cancelled', ended_at = portal_now(), pdf = ''`)).rejects.toThrow('must be reversed')
  await expect(set(`remark = 'Another'`)).rejects.toThrow('A cancellation does not change')
  const remove = sql`delete from e_invoice_cancellation where document_id = ${document}`
  await expect(remove.execute(db)).rejects.toThrow('A cancellation is not deleted')
  await sendCancellations()
  await expect(set(`state = 'refused', last_error = 'x', pdf = null`)).rejects.toThrow('A cancellation does not change')
})

test('leaves the ledger without a broken rule', async () => {
  const broken = await brokenInvariants(portal.owner, { quiet: false })
  expect(broken.filter(({ name }) => name.startsWith('L'))).toEqual([])
})
