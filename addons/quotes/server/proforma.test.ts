/** @module-tag full */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@trainyard/platform/contract/words/day.ts'
import type { QuoteId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { Caller, Reply } from '@trainyard/platform/test/caller.ts'
import { ADDRESS, registration, SETTINGS } from '@trainyard/invoices/test/invoicing.ts'
import {
  eventOf,
  loseEvents,
  newPayer,
  type Paid,
  type Payer,
  sendEvent,
  sign,
  untilSettled,
} from '@trainyard/platform/test/payments.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PaymentRow } from '@trainyard/payments/tables.gen.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { startLoop } from '@trainyard/platform/server/run/reconcile/loop.ts'
import { pollDue } from '@trainyard/platform/server/run/reconcile/poll-due.ts'
import { issueDueVouchers } from '@trainyard/invoices/server/vouchers.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { assignToProforma } from './proforma.ts'
import { recordPayments } from '@trainyard/payments/server/record.ts'
import { paymentKind } from '@trainyard/payments/server/step.ts'

const env = await sharedEnvironment()
const root: Caller = await env.signIn('superadmin', 'root@portal.test', null)
const date = env.now().toISOString().slice(0, 10)
const VERIFIED = 'Payment successful and verified!'
/** Number of the proforma invoice that the tests copy. */
let template: string
let copies = 0
const LINES = [{ description: 'Setup of a classroom', amount: 10_000 }]

beforeAll(async () => {
  await root('PATCH', '/admin/supplier', { ...SETTINGS, vouchersFrom: date })
  template = (await (await addCustomer()).admin('POST', '/admin/quotes/prepaid', { amount: 10_000 })).body.proforma
})

interface Customer {
  readonly payer: Payer
  readonly admin: Caller
  readonly organization: string
  order(proforma: string, amount?: number, more?: object): Promise<Reply>
  quotes(): Promise<{ state: string; expired: boolean; payments: { id: string; amountPaise: number }[] }[]>
  /** Returns the texts of the entries of payments, oldest first. */
  particulars(): Promise<string[]>
  /** Returns the bought credit in paise. */
  credit(): Promise<number>
}

async function addCustomer(): Promise<Customer> {
  const payer = await newPayer(env)
  const admin = await env.signIn('admin', payer.email, payer.organisation)
  const { addressLine1, ...address } = ADDRESS
  await env.db
    .insertInto('organisation_billing')
    .values({ organisation_id: payer.organisation, address_line1: addressLine1, ...address, place: 'india' })
    .execute()
  const organization = (await admin('GET', '/admin/organization/settings')).body.name as string
  return {
    payer,
    admin,
    organization,
    order: (proforma, amount = 11_800, more = {}) =>
      admin('POST', '/admin/ledger/order', { amount, proforma, ...more }),
    quotes: async () => (await admin('GET', '/admin/quotes')).body.quotes,
    async particulars() {
      const { rows } = await sql<{ particular: string }>`select particular from ledger_entry
        where organisation_id = ${payer.organisation} and kind = 'payment' order by id`.execute(env.db)
      return rows.map(({ particular }) => particular)
    },
    async credit() {
      const { accounts } = (await admin('GET', '/admin/credit')).body as { accounts: { boughtPaise: number }[] }
      return accounts.reduce((sum, { boughtPaise }) => sum + boughtPaise, 0)
    },
  }
}

interface Offer {
  readonly number: string
  readonly proforma: string
}

/**
 * Adds a proforma invoice over ₹11,800 for prepaid credit, or for a tax invoice. The row is a copy, because printing a
 * PDF for each is slow.
 */
async function addOffer({ payer }: Customer, { prepaid = true } = {}): Promise<Offer> {
  copies += 1
  const [number, proforma] = ['Q', 'PF'].map((series) => `${series}-26-27-${1000 + copies}`) as [string, string]
  await sql`
    insert into quote (organisation_id, number, proforma, prepaid, issued_on, valid_until, lines, content, pdf,
      created_by, state, decided_by, decided_at, proforma_on, proforma_content, proforma_pdf)
    select ${payer.organisation}, ${number}, ${proforma}, ${prepaid}, issued_on, valid_until, lines, content, pdf,
      created_by, state, decided_by, decided_at, proforma_on, proforma_content, proforma_pdf
    from quote where proforma = ${template}`.execute(env.db)
  return { number, proforma }
}

/** Makes a proforma invoice over ₹11,800 from an accepted quote. */
async function quoted({ admin, organization }: Customer): Promise<Offer> {
  const validUntil = addDays(date, 7)
  const { number } = (await root('POST', '/admin/quotes', { organization, lines: LINES, validUntil })).body
  await admin('POST', '/admin/quotes/decide', { number, decision: 'accepted' })
  return { number, ...(await root('POST', '/admin/quotes/proforma', { number })).body }
}

async function issueInvoice({ organization }: Customer, { number }: Offer): Promise<string> {
  const { lines } = await env.db
    .selectFrom('quote')
    .select('lines')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  const { digest } = (await root('POST', '/admin/invoices/one-off/draft', { organization, lines })).body
  return (await root('POST', '/admin/quotes/invoice', { number, digest })).body.invoice as string
}

/** Records that a tax invoice was registered and cancelled at the e-invoice portal. */
async function cancelInvoice(number: string): Promise<void> {
  const { expectedIrn } = (await root('GET', `/admin/invoice?number=${encodeURIComponent(number)}`)).body
  const at = env.now().toISOString()
  await root('POST', '/admin/invoice/registration', registration(number, expectedIrn, at))
  const { status } = await root('POST', '/admin/invoice/cancel', { number, cancelledAt: at, reason: 'duplicate' })
  expect(status).toBe(200)
}

const byHand = ({ number }: Offer, amount: number, id: string) =>
  root('POST', '/admin/quotes/payments', { number, id, amount, date })

/** Pays an order in the checkout, so that only the verification credits the payment. */
async function payUnseen({ payer }: Customer, ordered: Reply): Promise<Paid> {
  await loseEvents(env)
  const paid = await payer.payInCheckout(ordered.body)
  await env.control('DELETE', '/_faults')
  return paid
}

/** Makes a call while another transaction holds the lock of a quote, which changes the quote once the call waits. */
async function whileLocked(
  number: string,
  call: () => Promise<Reply>,
  change: (tx: Tx, quote: QuoteId) => Promise<void>,
): Promise<Reply> {
  let reply: Promise<Reply>
  await env.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: QuoteId }>`
      select id from quote where number = ${number} for no key update`.execute(tx)
    reply = call()
    const waiting = async () =>
      (
        await sql`select from pg_locks where not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(env.db)
      ).rows.length
    await until('the call waits for the quote', waiting, (count) => count > 0)
    await change(tx, rows[0]!.id)
  })
  return reply!
}

test('orders exactly what is left of an own proforma invoice that is open', async () => {
  const [own, other] = [await addCustomer(), await addCustomer()]
  const offer = await addOffer(own)
  const { proforma } = offer
  const foreign = await other.order(proforma)
  const absent = await other.order('PF-26-27-9999')
  expect([foreign.status, foreign.body.message]).toEqual([404, absent.body.message])
  for (const amount of [1, 11_799.99, 11_800.01]) {
    const refused = await own.order(proforma, amount)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `₹11,800.00 of ${proforma} is open. Pay exactly this amount.`,
    ])
  }
  for (const more of [{ invoice: null }, { prepaid: { trainingName: null } }, { request: crypto.randomUUID() }]) {
    expect((await own.order(proforma, 11_800, more)).status).toBe(400)
  }
  await byHand(offer, 1_800, 'UTR-1')
  expect((await own.order(proforma)).body.message).toBe(`₹10,000.00 of ${proforma} is open. Pay exactly this amount.`)
  expect((await own.order(proforma, 10_000)).body).toMatchObject({ amount: 10_000_00 })
  await byHand(offer, 10_000, 'UTR-2')
  expect((await own.order(proforma, 10_000)).body.message).toBe(`${proforma} has been paid.`)
  const withdrawn = await addOffer(own)
  await root('POST', '/admin/quotes/withdraw', { number: withdrawn.number })
  expect((await own.order(withdrawn.proforma)).body.message).toBe(
    `${withdrawn.proforma} was withdrawn. No payment is due.`,
  )
})

test('buys the credit of a payment once, also if it is reported and verified repeatedly', async () => {
  const own = await addCustomer()
  const { proforma } = await addOffer(own)
  const orders = await Promise.all(Array.from({ length: 4 }, () => own.order(proforma)))
  expect(new Set(orders.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
  const paid = await own.payer.payInCheckout(orders[0]!.body)
  const event = eventOf(paid)
  const replies = await Promise.all(
    [1, 2].flatMap(() => [own.payer.verify(paid), sendEvent(env, own.payer, event, sign(event))]),
  )
  expect(replies.map((reply) => (typeof reply === 'number' ? reply : reply.body.message))).toEqual(
    [1, 2].flatMap(() => [VERIFIED, 200]),
  )
  // Without the other tasks of a worker, because they take seconds.
  const { portal, parts, bugs } = env
  const onBug = (bug: unknown) => bugs.push(bug)
  const polls = startLoop(paymentKind(parts.payments!), {
    db: portal.app.db,
    concurrency: 4,
    leaseSeconds: 3,
    onBug,
  })
  // An event can arrive after the loop has read when the next row is due.
  const watching = pollDue(portal.app.db, polls.dueChecks, onBug)
  await untilSettled(env)
  await watching.stop()
  await polls.stop()
  expect(bugs).toEqual([])
  expect(await own.payer.payments()).toEqual([{ id: paid.payment_id, payment: 11_800 }])
  expect(await own.particulars()).toEqual([`Online payment for ${proforma}`])
  expect(await own.credit()).toBe(10_000_00)
  expect(await own.quotes()).toMatchObject([{ payments: [{ id: paid.payment_id, amountPaise: 11_800_00 }] }])
  expect((await own.order(proforma)).body.message).toBe(`${proforma} has been paid.`)
})

test('issues one receipt voucher for credit that is bought online', { tags: ['storm'] }, async () => {
  const own = await addCustomer()
  const paid = await payUnseen(own, await own.order((await addOffer(own)).proforma))
  await Promise.all([own.payer.verify(paid), own.payer.verify(paid)])
  for (const _run of [1, 2]) await issueDueVouchers(env.portal.app.db, env.parts.jobQueue, new AbortController().signal)
  const { rows } = await sql`select kind, total_paise as total from tax_document
    where organisation_id = ${own.payer.organisation}`.execute(env.db)
  expect(rows).toEqual([{ kind: 'receipt voucher', total: 11_800_00 }])
})

test('polls a shared order like a new one when a payer opens it again', async () => {
  const own = await addCustomer()
  const { proforma } = await addOffer(own)
  await root('POST', '/admin/ledger/requests', {
    organization: own.organization,
    amount: 11_800,
    about: 'Balance',
    days: 90,
  })
  const [request] = (await own.admin('GET', '/admin/ledger/requests')).body.requests as { id: string }[]
  const calls = [
    () => own.order(proforma),
    () => own.admin('POST', '/admin/ledger/order', { amount: 11_800, request: request!.id }),
  ]
  for (const call of calls) {
    const { order_id } = (await call()).body
    await sql`update payment set created_at = created_at - interval '20 days', reconcile_at = null,
      opened_at = opened_at - interval '20 days' where order_id = ${order_id}`.execute(env.db)
    expect((await call()).body).toMatchObject({ order_id })
    const { rows } = await sql<PaymentRow & { now: Date }>`
      select *, portal_now() as now from payment where order_id = ${order_id}`.execute(env.db)
    const { reconcile_at, now } = rows[0]!
    const seconds = (reconcile_at!.getTime() - now.getTime()) / 1000
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    const { outcome } = await env.db.transaction().execute((tx) => recordPayments(tx, rows[0]!, []))
    expect(outcome.next).toBe(60)
  }
})

test('puts a payment on account if the proforma invoice was paid or withdrawn during the checkout', async () => {
  const own = await addCustomer()
  const { number, proforma } = await addOffer(own)
  const late = await payUnseen(own, await own.order(proforma))
  const verified = await whileLocked(
    number,
    () => own.payer.verify(late),
    async (tx, quote) => {
      const { organisation } = own.payer
      const entry = { particular: 'Transfer', amount: paise(11_800_00), date, source: 'manual', by: 'root' } as const
      await addEntry(tx, { organisation, kind: 'payment', reference: 'UTR-1', ...entry })
      await assignToProforma(tx, quote, { organisation, id: 'UTR-1', by: 'root' })
    },
  )
  expect(verified.body.message).toBe(`${VERIFIED} Online payment on account because ${proforma} was paid already.`)
  const withdrawn = await addOffer(own)
  const later = await payUnseen(own, await own.order(withdrawn.proforma))
  await root('POST', '/admin/quotes/withdraw', { number: withdrawn.number })
  const sentence = `Online payment on account because ${withdrawn.proforma} was withdrawn`
  expect((await own.payer.verify(later)).body.message).toBe(`${VERIFIED} ${sentence}.`)
  expect((await own.payer.verify(later)).body.message).toBe(`${VERIFIED} ${sentence}.`)
  expect(await own.credit()).toBe(0)
  expect((await own.quotes()).flatMap(({ payments }) => payments)).toMatchObject([{ id: 'UTR-1' }])
  expect((await own.particulars())[2]).toBe(sentence)
})

test('puts a payment on account if the tax invoice of its proforma invoice was cancelled', async () => {
  const own = await addCustomer()
  const offer = await addOffer(own, { prepaid: false })
  const { proforma } = offer
  const late = await payUnseen(own, await own.order(proforma))
  const { organisation } = own.payer
  await env.db.updateTable('organisation').set({ gst: '29AABCR1718E1ZL' }).where('id', '=', organisation).execute()
  const invoice = await issueInvoice(own, offer)
  await cancelInvoice(invoice)
  const refused = await own.order(proforma)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `${invoice} is cancelled. No payment is due for ${proforma}.`,
  ])
  expect((await own.payer.verify(late)).body.message).toBe(
    `${VERIFIED} Online payment on account because ${invoice} was cancelled.`,
  )
})

test(
  'reserves the payment of a quote for its tax invoice, also if that is issued during the checkout',
  { tags: ['storm'] },
  async () => {
    const own = await addCustomer()
    const { organization } = own
    const openInvoices = async () =>
      (await own.admin('GET', '/admin/ledger/open')).body.invoices.map(({ invoice }: { invoice: string }) => invoice)
    const entry = { organization, type: 'invoice', id: 'OLD-1', amount: 11_800, date }
    await root('POST', '/admin/ledger/addTransaction', entry)
    const early = await quoted(own)
    const first = await payUnseen(own, await own.order(early.proforma))
    await own.payer.verify(first)
    expect(await openInvoices()).toEqual(['OLD-1'])
    await issueInvoice(own, early)
    expect(await openInvoices()).toEqual(['OLD-1'])
    const refused = await own.order(early.proforma)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Pay the invoice.')])

    const other = await quoted(own)
    const second = await payUnseen(own, await own.order(other.proforma))
    const invoice = await issueInvoice(own, other)
    expect(await openInvoices()).toEqual(['OLD-1', invoice])
    expect((await own.payer.verify(second)).body.message).toBe(VERIFIED)
    expect(await openInvoices()).toEqual(['OLD-1'])
  },
)

test('stores no order that pays two things, or is for a proforma invoice that is not open', async () => {
  const own = await addCustomer()
  const [offer, withdrawn] = [await addOffer(own), await addOffer(own)]
  const ordered = (await own.order(offer.proforma)).body
  await root('POST', '/admin/quotes/withdraw', { number: withdrawn.number })
  const idOf = sql`(select id from quote where number = ${withdrawn.number})`
  for (const change of [sql`on_account = true`, sql`prepaid = true`]) {
    await expect(
      sql`update payment set ${change} where order_id = ${ordered.order_id}`.execute(env.db),
    ).rejects.toThrow('payment_proforma')
  }
  const copy = (quote: typeof idOf) =>
    sql`
    insert into payment (organisation_id, amount_paise, order_id, asked_by, quote_id)
    select organisation_id, amount_paise, 'order_copy', asked_by, ${quote} from payment
    where order_id = ${ordered.order_id}`.execute(env.db)
  await expect(copy(idOf)).rejects.toMatchObject({ code: '23514' })
  await expect(copy(sql`quote_id`)).rejects.toMatchObject({ code: '23505' })
})

test('orders nothing for credit whose proforma invoice has expired, and keeps the ledger consistent', async () => {
  const own = await addCustomer()
  const { proforma } = await addOffer(own)
  expect(await own.quotes()).toMatchObject([{ expired: false }])
  await env.step(32 * 86_400)
  expect(await own.quotes()).toMatchObject([{ state: 'proforma', expired: true }])
  const refused = await own.order(proforma)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `${proforma} has expired. Buy the credit again with a new proforma invoice.`,
  ])
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
})
