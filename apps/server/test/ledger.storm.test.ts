import { Ajv } from 'ajv'
import { sql } from 'kysely'
import { readFile } from 'node:fs/promises'
import { afterAll, expect, inject, test } from 'vitest'
import type { TaxDocument } from '@trainyard/invoices/contract/invoice.ts'
import { periodOf } from '@trainyard/books/contract/books-words.ts'
import { isAdvanceTable } from '@trainyard/books/contract/gst-return-words.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import {
  addCustomer,
  ADDRESS,
  registration,
  SETTINGS,
  setClock,
  type TestCustomer,
} from '@trainyard/invoices/test/invoicing.ts'
import { amountsIn, pdfText } from '@trainyard/platform/test/pdf.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { amountsOf, SUPPLIER } from '@trainyard/invoices/test/tax-documents.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { bookedEntries } from '@trainyard/books/server/entries.ts'
import type { BookedEntry } from '@trainyard/books/server/queries.ts'
import { tallyVoucher } from '@trainyard/books/server/tally-xml.ts'
import { ZOHO_HEAD, zohoLines } from '@trainyard/books/server/zoho.ts'
import { evaluateDuePrepaidAccounts } from '@trainyard/prepaid-credit/server/evaluate.ts'
import { prepaidStateOf } from '@trainyard/prepaid-credit/server/prepaid.ts'
import { comparison, gstr1 } from '@trainyard/books/server/gst-return/content.ts'
import { wordsOf } from '@trainyard/invoices/server/gst/test-oracle.ts'
import { issueInvoice } from '@trainyard/invoices/server/issue.ts'
import { issueDueInvoices } from '@trainyard/invoices/server/run.ts'
import { issueDueVouchers } from '@trainyard/invoices/server/vouchers.ts'
import { allocations } from '@trainyard/accounting/server/allocation.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { ageing, openInvoices } from '@trainyard/accounting/server/open.ts'
import {
  addDays,
  calendar,
  CUSTOMER_KINDS,
  CustomerModel,
  isFreeOn,
  type ModelDocument,
  type ModelItem,
  MONEY,
  type Money,
  NO_MONEY,
  minus,
  plus,
  rateOn,
  startOf,
  taxed,
  withoutTax,
  yearOf,
} from './test-ledger-model.ts'
import { trialBalance } from '@trainyard/accounting/server/trial-balance.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

/**
 * The test generates random months for customers of four kinds and compares them with an independent model of the tax
 * rules and of the accounts. The customers of a month are processed concurrently. The long form (`npm run storm`) has
 * 36 months of 28 customers, the short form has 2 months of 4. The long form ends in 2029, because the schema of
 * INV-01 accepts no later dates. ORACLE_MONTHS, ORACLE_CUSTOMERS and ORACLE_SEED change the numbers and the seed.
 */
const IS_LONG = process.env['STORM'] === 'long'
const MONTHS = Number(process.env['ORACLE_MONTHS'] ?? (IS_LONG ? 36 : 2))
const CUSTOMERS = Number(process.env['ORACLE_CUSTOMERS'] ?? (IS_LONG ? 28 : 4))
const SEED = Number(process.env['ORACLE_SEED'] ?? 40)
const PAISE_PER_HOUR = 1_250n
const CODES = ['998315', '998313', '9983']

class Chance {
  private seed: number
  constructor(seed: number) {
    this.seed = (seed * 48_271) % 2_147_483_647
  }
  below(limit: number): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647
    return this.seed % limit
  }
  percent(percent: number): boolean {
    return this.below(100) < percent
  }
  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}

const portal = await sharedPortal({ DATABASE_CONNECTIONS: '60' })
await createSubjects(portal)
const jobs = { enqueue: async () => {} }
const address = { connectionString: portal.settings['DATABASE_URL']! }
/** Separate connection pool for the test, because the portal may use all connections of its pool. */
const db = connect(address, { size: 30, as: 'owner' })
const faultDb = connect(address, { size: 12, as: 'owner' })
afterAll(async () => {
  await db.destroy()
  await faultDb.destroy()
})
let uid = ''

const schemaOf = async (path: string) => {
  const text = await readFile(new URL(`../../../addons/${path}.schema.json`, import.meta.url), 'utf8')
  return new Ajv({ allErrors: true, multipleOfPrecision: 6, unicodeRegExp: false }).compile(JSON.parse(text) as object)
}
const schemas = { 'gstr-1': await schemaOf('books/test/gstr-1'), 'inv-01': await schemaOf('invoices/test/inv-01') }
function expectValid(name: keyof typeof schemas, file: unknown): void {
  schemas[name](file)
  expect(schemas[name].errors ?? []).toEqual([])
}

interface Customer extends TestCustomer {
  readonly model: CustomerModel
  readonly chance: Chance
  /** Counter for the IDs of manually entered ledger entries. */
  count: number
  /** Months that each monthly invoice charges. */
  readonly charged: Map<string, readonly string[]>
}

/** Counts per kind of operation and of fault. */
const counts = new Map<string, number>()
const tally = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
/** Document numbers issued in the current month. */
const issued: string[] = []
const lastSerials = new Map<string, number>()

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function sendOnce(method: string, path: string, body: unknown): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
/**
 * Sends a request, and repeats it while the portal is busy, because the load of the test can exceed its time limits.
 */
async function send(method: string, path: string, body: unknown): Promise<{ status: number; body: Body }> {
  for (;;) {
    const reply = await sendOnce(method, path, body)
    if (reply.status !== 503) return reply
    tally('busy replies')
  }
}
async function sendOk(method: string, path: string, body: unknown): Promise<Body> {
  const { status, body: reply } = await send(method, path, body)
  expect([status, reply.message]).toEqual([200, expect.any(String)])
  return reply
}

/** Sends a request. Some first attempts lose their database connection while they add their ledger entry. */
async function postWithFaults({ id, chance }: Customer, path: string, body: object): Promise<Body> {
  if (chance.percent(4)) await loseConnection(id, () => sendOnce('POST', path, body))
  return sendOk('POST', path, body)
}

/** Blocks the ledger of a customer, closes the connection that waits for it, and expects no trace of the attempt. */
async function loseConnection(customer: string, attempt: () => Promise<{ status: number }>): Promise<void> {
  const entries = async () =>
    (
      await sql<{ id: number }>`select id from ledger_entry where organisation_id = ${customer} order by id`.execute(
        faultDb,
      )
    ).rows.length
  const before = await entries()
  const status = await faultDb.transaction().execute(async (tx) => {
    const { rows } = await sql`select from ledger_balance where organisation_id = ${customer} for update`.execute(tx)
    if (rows.length === 0) return null
    const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    let isDone = false
    const sent = attempt().finally(() => (isDone = true))
    await until(
      'the entry waits for the ledger',
      () =>
        queryDatabase(
          inject('testCluster'),
          `select pg_terminate_backend(pid) from pg_stat_activity where ${own[0]!.pid} = any(pg_blocking_pids(pid))`,
        ),
      (closed) => closed.length > 0 || isDone,
    )
    return (await sent).status
  })
  if (status === null) return
  expect(status).toBeGreaterThanOrEqual(500)
  expect(await entries()).toBe(before)
  tally('connections lost')
}

const monthAfter = (month: string): string => addDays(`${month}-28`, 5).slice(0, 7)
const dayIn = (month: string, day: number): string => `${month}-${String(day).padStart(2, '0')}`
const asMoney = (amounts: Record<'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise', number>): Money => ({
  taxable: amounts.taxablePaise,
  cgst: amounts.cgstPaise,
  sgst: amounts.sgstPaise,
  igst: amounts.igstPaise,
})
async function contentOf(number: string) {
  return db
    .selectFrom('tax_document')
    .select(['content', 'e_invoice', 'pdf'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
}

/** Compares an issued document with the model: amounts, dates, INV-01 and sometimes the PDF. Adds it to the model. */
async function expectDocument(customer: Customer, number: string, expected: ModelDocument, withPdf: boolean) {
  const { model } = customer
  const { content, e_invoice: form, pdf } = await contentOf(number)
  const document = content as TaxDocument
  const sum = expected.items.reduce<Money>((total, item) => plus(total, item), NO_MONEY)
  expect([document.kind, document.number, document.date, document.dueOn, document.of?.number ?? null]).toEqual([
    expected.kind,
    number,
    expected.date,
    expected.dueOn,
    expected.of,
  ])
  const items = document.items.map((item) => ({ description: item.description, rate: item.rate, ...asMoney(item) }))
  expect(items).toEqual(expected.items.map((item) => ({ ...item })))
  expect([asMoney(document.totals), document.totals.roundOffPaise, document.totals.totalPaise]).toEqual([
    sum,
    expected.roundOff,
    expected.total,
  ])
  expect(document.words).toBe(wordsOf(BigInt(expected.total)))
  if (expected.kind !== 'financial credit note') expectForm(document, form)
  if (withPdf) await expectPdf(document, pdf)
  model.documents.set(number, expected)
  const isCharge = expected.kind === 'invoice' || expected.kind === 'debit note'
  model.entries.push({
    kind: isCharge ? 'invoice' : 'credit note',
    reference: number,
    date: expected.date,
    amount: expected.total,
    ...(expected.dueOn !== null && { dueOn: expected.dueOn }),
    ...(expected.of !== null && !isCharge && { of: expected.of }),
    source: 'issued',
  })
  issued.push(number)
  tally(expected.kind)
}

function expectForm(document: TaxDocument, form: unknown): void {
  if (document.supplyType !== 'B2C') expectValid('inv-01', form)
  const { ValDtls: values, ItemList: list } = form as Body
  const { taxablePaise, cgstPaise, sgstPaise, igstPaise, roundOffPaise, totalPaise } = document.totals
  const inPaise = (...amounts: number[]) => amounts.map((amount) => Math.round(amount * 100) + 0)
  expect(
    inPaise(values.AssVal, values.CgstVal, values.SgstVal, values.IgstVal, values.RndOffAmt, values.TotInvVal),
  ).toEqual([taxablePaise, cgstPaise, sgstPaise, igstPaise, roundOffPaise, totalPaise])
  expect(
    list.map((item: Body) => inPaise(item.AssAmt, item.CgstAmt, item.SgstAmt, item.IgstAmt, item.TotItemVal)),
  ).toEqual(
    document.items.map((item) => [item.taxablePaise, item.cgstPaise, item.sgstPaise, item.igstPaise, item.totalPaise]),
  )
}

/** Expects a PDF to show exactly the amounts of its document. */
async function expectPdf(document: TaxDocument, pdf: Buffer): Promise<void> {
  expect([...amountsIn(await pdfText(pdf))].toSorted()).toEqual([...amountsOf(document)].toSorted())
  tally(`PDF of a ${document.kind}`)
}

async function addUsage({ id, model, chance }: Customer, month: string): Promise<void> {
  const isTiny = chance.percent(6)
  const days = isTiny ? [dayIn(month, 11)] : [dayIn(month, 11 + chance.below(7)), dayIn(month, 19 + chance.below(9))]
  const runs = days.map((day) => ({
    start: startOf(day) + chance.below(80_000) * 1_000,
    seconds: isTiny ? 5 + chance.below(60) : 600 + chance.below(20_000),
  }))
  for (const { start, seconds } of runs) {
    await sql`insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, closed_by)
      select id, organisation_id, ${new Date(start)}::timestamptz, ${new Date(start + seconds * 1_000)}::timestamptz,
        paise_per_hour, 'imported' from machine where organisation_id = ${id}`.execute(portal.owner)
  }
  await updateRunSums(portal.owner, sql`organisation_id = ${id}`)
  model.runs.push(...runs)
  model.pending.push(month)
}

/** Throws the error unless it is a time limit of the database, which the load of the test can exceed. */
function expectBusy(error: unknown): void {
  if (!/timeout/.test(String(error))) throw error
  tally('busy database')
}

/**
 * Issues the invoice of a month. Some attempts lose their connection, some run 20 times concurrently. Small amounts are
 * carried forward.
 */
async function issueMonth(customer: Customer, month: string, today: string, isReviewed = false): Promise<void> {
  const { id, name, model, chance } = customer
  const query = new URLSearchParams({ organization: name, month }).toString()
  const digest: string | null = isReviewed
    ? (await send('GET', `/admin/invoices/draft?${query}`, undefined)).body.digest
    : null
  const invoice = { organisation: id, month, digest, by: 'test' }
  const attempt = () => portal.app.db.transaction().execute((tx) => issueInvoice(tx, jobs, invoice))
  const [attempts, isLost, withPdf] = [chance.percent(5) ? 20 : 1, chance.percent(8), chance.percent(10)]
  const items = model.itemsOfUsage(today, monthAfter)
  const expected = model.documentOf(
    'invoice',
    today,
    items.map((item) => ({ ...item, description: '' })),
    isFreeOn(model.kind, today),
  )
  if (expected.total === 0) {
    await expect(attempt()).rejects.toThrow(/carried forward/)
    await issueDueInvoices(db, jobs, new AbortController().signal)
    tally('amounts carried forward')
    return
  }
  if (isLost)
    await loseConnection(id, () =>
      attempt().then(
        () => ({ status: 200 }),
        () => ({ status: 500 }),
      ),
    )
  const numbers: string[] = []
  while (numbers.length === 0) {
    const results = await Promise.allSettled(Array.from({ length: attempts }, attempt))
    numbers.push(...results.filter((each) => each.status === 'fulfilled').map(({ value }) => value))
    const [first] = results
    if (numbers.length === 0 && first?.status === 'rejected') expectBusy(first.reason)
  }
  expect(numbers).toHaveLength(1)
  if (attempts > 1) tally('issued by one of 20 attempts')
  const descriptions = ((await contentOf(numbers[0]!)).content as TaxDocument).items.map((each) => each.description)
  const named = items.map((item, index) => ({ ...item, description: descriptions[index]! }))
  await expectDocument(customer, numbers[0]!, { ...expected, items: named }, withPdf)
  customer.charged.set(numbers[0]!, model.pending)
  model.pending = []
}

async function issueOneOff(customer: Customer, today: string): Promise<void> {
  const { name, model, chance } = customer
  const lines = Array.from({ length: 1 + chance.below(4) }, (_, index) => {
    const amount = 2 + chance.below(chance.oneOf([30, 5_000, 500_000, 30_000_000]))
    const discount = chance.percent(30) ? 1 + chance.below(amount - 1) : 0
    return { description: `Fee ${index + 1}`, amount, discount, sac: chance.oneOf(CODES) }
  })
  const isFree = isFreeOn(model.kind, today)
  const rate = rateOn(today)
  const items = lines.map(({ description, amount, discount }): ModelItem => ({
    description,
    rate,
    ...taxed(model.kind, isFree, amount - discount, rate),
  }))
  const expected = model.documentOf('invoice', today, items, isFree)
  const body = {
    organization: name,
    lines: lines.map(({ amount, discount, ...line }) => ({
      ...line,
      amount: amount / 100,
      ...(discount > 0 && { discount: discount / 100 }),
    })),
  }
  const withPdf = chance.percent(10)
  const draft = await send('POST', '/admin/invoices/one-off/draft', body)
  expect(draft.status).toBe(expected.total === 0 ? 409 : 200)
  if (expected.total === 0) return
  const reply = await postWithFaults(customer, '/admin/invoices/one-off', {
    ...body,
    digest: draft.body.digest,
  })
  await expectDocument(customer, reply.number, expected, withPdf)
}

/** Issues a credit or debit note for some items of an earlier invoice. */
async function issueNote(customer: Customer, kind: 'credit' | 'debit', today: string): Promise<void> {
  const { model, chance } = customer
  const invoices = [...model.documents].filter(([, each]) => each.kind === 'invoice')
  if (invoices.length === 0) return
  const [number, { items }] = chance.percent(50) ? invoices.at(-1)! : chance.oneOf(invoices)
  const isWhole = chance.percent(25)
  const parts = new Map<string, number>()
  for (const item of items) {
    const uncredited = model.leftOf(number, item)
    if (kind === 'debit') {
      if (chance.percent(60)) parts.set(item.description, 1 + chance.below(chance.oneOf([200, 50_000])))
    } else if (uncredited > 0 && (isWhole || chance.percent(60))) {
      parts.set(item.description, isWhole ? uncredited : 1 + chance.below(uncredited))
    }
  }
  const withPdf = chance.percent(25)
  if (parts.size === 0) return
  const expected = kind === 'debit' ? model.debitNote(number, today, parts) : model.creditNote(number, today, parts)
  const body = {
    number,
    reason: 'Wrong amount',
    items: items.flatMap(({ description }, index) =>
      parts.has(description) ? [{ item: index + 1, amount: parts.get(description)! / 100 }] : [],
    ),
  }
  if (expected === null || expected.total === 0) {
    expect((await send('POST', `/admin/invoice/${kind}`, body)).status).toBe(409)
    tally('notes refused')
    return
  }
  const reply = await postWithFaults(customer, `/admin/invoice/${kind}`, {
    ...body,
  })
  await expectDocument(customer, reply.number, expected, withPdf)
}

/**
 * Registers and cancels a document of the day. The month of a cancelled invoice is issued again. Documents to consumers
 * are not registered, and later notes and write-offs prevent a cancellation.
 */
async function cancelDocument(customer: Customer, month: string, today: string): Promise<void> {
  const { model, chance } = customer
  const documents = [...model.documents]
  const candidates = documents.filter(([, { date, kind }]) => date === today && kind !== 'financial credit note')
  if (candidates.length === 0) return
  const [number, { of, kind }] = chance.percent(60) ? candidates.at(-1)! : chance.oneOf(candidates)
  const { body: issuedDocument } = await send('GET', `/admin/invoice?number=${encodeURIComponent(number)}`, undefined)
  const { expectedIrn: irn } = issuedDocument
  const at = `${today}T06:00:00Z`
  if (irn !== '' && issuedDocument.registration === null)
    await sendOk('POST', '/admin/invoice/registration', registration(number, irn, at))
  const place = documents.findIndex(([each]) => each === number)
  const hasLaterNote = documents.slice(place + 1).some(([, each]) => each.of === (of ?? number))
  const isWrittenOff = model.entries.some((entry) => entry.kind === 'write-off' && entry.settles === number)
  const request = { number, cancelledAt: at, reason: chance.oneOf(['duplicate', 'other']) }
  if (irn === '' || hasLaterNote || isWrittenOff) {
    expect((await send('POST', '/admin/invoice/cancel', request)).status).toBe(409)
    tally('cancellations refused')
    return
  }
  await sendOk('POST', '/admin/invoice/cancel', request)
  model.documents.delete(number)
  model.entries.splice(
    model.entries.findIndex(({ reference, source }) => reference === number && source === 'issued'),
    1,
  )
  tally(`cancelled: ${kind}`)
  const months = customer.charged.get(number)
  if (months === undefined) return
  model.pending = [...months]
  await issueMonth(customer, month, today, true)
}

/** Records a payment: on account, for a chosen invoice, or for the invoice with exactly the amount. */
async function pay(customer: Customer, date: string): Promise<void> {
  const { name, model, chance } = customer
  const { open } = model.allocation()
  const target = open.length > 0 && chance.percent(80) ? chance.oneOf(open) : null
  const base = target?.open ?? 1 + chance.below(80_000)
  const total = Math.max(2, chance.oneOf([base, base, Math.ceil(base / 2), base * 2]))
  const tds = chance.percent(30) ? 1 + chance.below(total - 1) : 0
  const amount = total - tds
  const way = chance.oneOf(['chosen', 'chosen', 'proposed', 'on account', 'any invoice'])
  const charges = model.entries.filter(({ kind }) => kind === 'invoice')
  const any = charges.length > 0 ? chance.oneOf(charges).reference : null
  const settles = {
    chosen: target?.invoice ?? null,
    proposed: model.exactMatch(total),
    'on account': null,
    'any invoice': any,
  }[way]!
  const id = `R ${++customer.count}`
  if (chance.percent(15)) return payOnline(customer, date, total, settles)
  await postWithFaults(customer, '/admin/ledger/addTransaction', {
    organization: name,
    type: 'payment',
    id,
    date,
    ...(way !== 'proposed' && { settles }),
    amount: amount / 100,
    ...(tds > 0 && { tds: { amount: tds / 100, section: '393(1)' } }),
  })
  model.entries.push({ kind: 'payment', reference: id, date, amount, settles, source: 'manual' })
  if (tds > 0)
    model.entries.push({ kind: 'tds', reference: `TDS of ${id}`, date, amount: tds, settles, of: id, source: 'manual' })
  tally(`payments ${way}`)
}

/** Adds a payment in the same way as the task that imports payments from the payment provider. */
async function payOnline({ id, model, count }: Customer, date: string, amount: number, settles: string | null) {
  const reference = `pay_${id.slice(0, 8)}_${count}`
  const entry = { organisation: id, kind: 'payment', reference, settles, source: 'provider', by: 'test' } as const
  await db.transaction().execute((tx) => addEntry(tx, { ...entry, particular: 'Online', amount: paise(amount), date }))
  model.entries.push({ kind: 'payment', reference, date, amount, settles, source: 'provider' })
  tally('payments online')
}

async function refund({ id, model, chance }: Customer, date: string): Promise<void> {
  const refundable = ({ reference, amount }: { reference: string; amount: number }) =>
    amount - model.refunded(reference)
  const payments = model.entries.filter(
    (each) => each.kind === 'payment' && each.source === 'provider' && refundable(each) > 0,
  )
  if (payments.length === 0) return
  const payment = chance.oneOf(payments)
  const amount = chance.percent(40) ? refundable(payment) : 1 + chance.below(refundable(payment))
  const reference = `rfnd_${id.slice(0, 8)}_${model.entries.length}`
  const entry = {
    organisation: id,
    kind: 'refund',
    reference,
    refundOf: payment.reference,
    source: 'provider',
  } as const
  await db
    .transaction()
    .execute((tx) => addEntry(tx, { ...entry, particular: 'Refund', amount: paise(amount), date, by: 'test' }))
  model.entries.push({ kind: 'refund', reference, date, amount, of: payment.reference, source: 'provider' })
  tally('refunds')
}

/** Records a TDS certificate without a payment. */
async function addCertificate(customer: Customer, date: string): Promise<void> {
  const { name, model, chance } = customer
  const { open } = model.allocation()
  const amount = 1 + chance.below(20_000)
  const settles = open.length > 0 && chance.percent(60) ? chance.oneOf(open).invoice : null
  const certificate = `CERT ${++customer.count}`
  const body = { certificate, section: '393(1)', financialYear: yearOf(date), quarter: 2, settles }
  await postWithFaults(customer, '/admin/ledger/tds', { organization: name, amount: amount / 100, date, ...body })
  model.entries.push({ kind: 'tds', reference: certificate, date, amount, settles, source: 'manual' })
  tally('TDS certificates')
}

async function addManualInvoice(customer: Customer, date: string): Promise<void> {
  const { name, model, chance } = customer
  const [id, amount] = [`T ${++customer.count}`, 1 + chance.below(90_000)]
  const body = { organization: name, type: 'invoice', id, date, amount: amount / 100 }
  await postWithFaults(customer, '/admin/ledger/addTransaction', body)
  model.entries.push({ kind: 'invoice', reference: id, date, amount, dueOn: addDays(date, 15), source: 'manual' })
  tally('manual invoices')
}

async function reverse(customer: Customer, date: string): Promise<void> {
  const { name, model, chance } = customer
  const manual = model.entries.filter(
    (entry) =>
      entry.source === 'manual' && ['invoice', 'payment', 'tds'].includes(entry.kind) && !model.isReversed(entry),
  )
  if (manual.length === 0) return
  const { kind, reference, amount } = chance.percent(50) ? manual.at(-1)! : chance.oneOf(manual)
  const body = { organization: name, kind, id: reference, reason: 'Wrong', date }
  await postWithFaults(customer, '/admin/ledger/reverse', body)
  const cancel = (original: string, as: 'invoice' | 'payment' | 'tds', sum: number) =>
    model.entries.push({
      kind: `${as} reversal`,
      reference: `Reversal of ${original}`,
      date,
      amount: sum,
      of: original,
      source: 'manual',
    })
  cancel(reference, kind as 'payment', amount)
  tally(`${kind} reversals`)
  if (kind !== 'payment') return
  const deductions = model.entries.filter((entry) => entry.kind === 'tds' && entry.of === reference)
  for (const deduction of deductions)
    if (!model.isReversed(deduction)) cancel(deduction.reference, 'tds', deduction.amount)
}

async function writeOff(customer: Customer, date: string): Promise<void> {
  const { name, model, chance } = customer
  const { open } = model.allocation()
  if (open.length === 0) return
  const { invoice, open: unpaid } = chance.oneOf(open)
  const amount = chance.percent(30) ? unpaid : 1 + chance.below(unpaid)
  const body = { organization: name, invoice, amount: amount / 100, reason: 'Not paid', date }
  await postWithFaults(customer, '/admin/ledger/writeOff', body)
  const part = model.entries.filter(({ kind, settles }) => kind === 'write-off' && settles === invoice).length + 1
  const reference = `Write-off of ${invoice}${part === 1 ? '' : ` (${part})`}`
  model.entries.push({ kind: 'write-off', reference, date, amount, settles: invoice, source: 'manual' })
  tally('write-offs')
}

/** Buys prepaid credit. The credit is the part of the payment that exceeds the amount owed, without that day's tax. */
async function buyPrepaidCredit(
  customer: Customer,
  date: string,
  now: number,
  validDays: number | null,
): Promise<void> {
  const { name, model, chance } = customer
  const amount = 1 + chance.below(200_000) + Math.max(0, model.owed())
  const id = `R ${++customer.count}`
  await postWithFaults(customer, '/admin/credit/purchases', {
    organization: name,
    id,
    date,
    amount: amount / 100,
  })
  const entry = { kind: 'payment', reference: id, date, amount, settles: null, source: 'manual' } as const
  model.entries.push(entry)
  const gross = Math.min(amount, Math.max(0, 0 - model.owed()))
  const credit = withoutTax(gross, isFreeOn(model.kind, date) ? 0 : rateOn(date))
  if (credit === 0) return
  model.prepaidFrom ??= now
  const last = validDays === null ? null : addDays(new Date(now).toISOString().slice(0, 10), validDays + 1)
  model.lots.push({ payment: id, gross, credit, at: now, expiresAt: last === null ? null : startOf(last) })
  tally('purchases of credit')
}

async function expectCredit({ id, model }: Customer, now: number): Promise<void> {
  const account = await db
    .selectFrom('prepaid_account')
    .selectAll()
    .where('organisation_id', '=', id)
    .executeTakeFirst()
  expect(account === undefined).toBe(model.prepaidFrom === null)
  if (account === undefined) return
  const { bought, used, expired, left } = await prepaidStateOf(db, account)
  const expected = model.creditAt(now)
  if (expected.expired > 0) tally('months with expired credit')
  expect({ bought, used, expired, left }).toEqual(expected)
}

/** Compares the allocation of each receipt, the open amounts and the balance of a customer with the model. */
async function expectAccount({ id, model }: Customer, today: string): Promise<void> {
  expect(await balanceOf(db, id)).toBe(model.owed())
  const expected = model.allocation()
  const open = await openInvoices(db, today, { organisation: id })
  expect(open.map(({ invoice, dueOn, open: amount }) => ({ invoice, dueOn, open: amount }))).toEqual(expected.open)
  const entries = await db
    .selectFrom('ledger_entry')
    .select(['id', 'kind', 'reference'])
    .where('organisation_id', '=', id)
    .execute()
  const names = new Map(entries.map((each) => [each.id, `${each.kind} ${each.reference}`]))
  const applied = [...(await allocations(db, id))].map(([receipt, parts]) => {
    const sums: Record<string, number> = {}
    for (const { invoice, amount } of parts) sums[invoice] = (sums[invoice] ?? 0) + amount
    return [names.get(receipt)!, sums] as const
  })
  expect(Object.fromEntries(applied)).toEqual(expected.applied)
}

/** Issues the customer's monthly invoice and performs random operations. */
async function simulateMonth(customer: Customer, month: string, today: string, now: number, validDays: number | null) {
  const { model, chance } = customer
  const past = () => dayIn(month, 1 + chance.below(28))
  if (chance.percent(50)) await pay(customer, past())
  if (chance.percent(20)) await buyPrepaidCredit(customer, past(), now, validDays)
  await issueMonth(customer, month, today)
  const operations: readonly [number, () => Promise<void>][] = [
    [35, () => issueOneOff(customer, today)],
    [25, () => issueNote(customer, 'debit', today)],
    [30, () => issueNote(customer, 'credit', today)],
    [20, () => issueNote(customer, 'credit', today)],
    [60, () => pay(customer, today)],
    [30, () => pay(customer, past())],
    [10, () => addCertificate(customer, today)],
    [10, () => addManualInvoice(customer, past())],
    [15, () => reverse(customer, today)],
    [10, () => refund(customer, today)],
    [12, () => writeOff(customer, today)],
    [15, () => cancelDocument(customer, month, today)],
    [10, () => buyPrepaidCredit(customer, today, now, validDays)],
    [25, () => cancelDocument(customer, month, today)],
    [15, () => cancelDocument(customer, month, today)],
    [20, () => pay(customer, today)],
  ]
  for (const [percent, operation] of operations) {
    if (!chance.percent(percent)) continue
    await operation()
    expect(await balanceOf(db, customer.id)).toBe(model.owed())
  }
  await expectAccount(customer, today)
  await expectCredit(customer, now)
  if (!chance.percent(30)) return
  const { debitPaise, creditPaise } = await trialBalance(db, '2099-12-31')
  expect(debitPaise).toBe(creditPaise)
}

/** Expects consecutive document numbers in each series, in the format of rule 46 of the CGST Rules. */
function expectSerials(): void {
  const bySeries = Map.groupBy(issued.splice(0), (number) => number.slice(0, -6))
  for (const [series, numbers] of bySeries) {
    const first = (lastSerials.get(series) ?? 0) + 1
    lastSerials.set(series, first + numbers.length - 1)
    expect(numbers.toSorted()).toEqual(numbers.map((_, index) => `${series}/${String(first + index).padStart(5, '0')}`))
  }
}

/** Numbers of the vouchers that earlier rounds have compared with the model. */
const checkedVouchers: string[] = []

/**
 * Issues the due vouchers. Compares the vouchers of new payments with sections 12 and 13 of the CGST Act and rules 50
 * and 51.
 */
async function expectVouchers(customers: readonly Customer[], seen: Map<Customer, number>): Promise<void> {
  await issueDueVouchers(db, jobs, new AbortController().signal)
  for (const customer of customers) {
    const { id, model, chance } = customer
    const rows = await db
      .selectFrom('tax_document')
      .select(['payment', 'content', 'pdf', 'number', 'kind'])
      .where('organisation_id', '=', id)
      .where('kind', 'in', ['receipt voucher', 'refund voucher'])
      .execute()
    const receipts = new Map(rows.map((row) => [row.payment, row]))
    for (const [index, entry] of model.entries.entries()) {
      if (entry.kind !== 'payment' || index < seen.get(customer)!) continue
      const advance = model.isReversed(entry) ? 0 : Math.min(entry.amount, Math.max(0, 0 - model.owed(index + 1)))
      const voucher = receipts.get(entry.reference)
      expect([entry.reference, voucher === undefined]).toEqual([entry.reference, advance === 0])
      if (voucher === undefined) continue
      const isFree = isFreeOn(model.kind, entry.date)
      const rate = rateOn(entry.date)
      const money = taxed(model.kind, isFree, isFree ? advance : withoutTax(advance, rate), rate)
      const { totals, words } = voucher.content as TaxDocument
      expect([asMoney(totals), totals.totalPaise]).toEqual([money, advance])
      expect(words).toBe(wordsOf(BigInt(advance)))
      tally('receipt vouchers')
    }
    seen.set(customer, model.entries.length)
    const known = new Set(checkedVouchers)
    for (const { number, content, pdf } of rows.filter((row) => !known.has(row.number))) {
      checkedVouchers.push(number)
      issued.push(number)
      if (chance.percent(10)) await expectPdf(content as TaxDocument, pdf)
    }
  }
}

/** Compares the trial balance with the model, account by account. */
async function expectTrialBalance(customers: readonly Customer[], start: ReadonlyMap<string, number>) {
  const { accounts: shown, debitPaise, creditPaise } = await trialBalance(db, '2099-12-31')
  expect(debitPaise).toBe(creditPaise)
  const expected = new Map<string, number>()
  const add = (account: string, amount: number) => expected.set(account, (expected.get(account) ?? 0) + amount)
  for (const { model } of customers) {
    for (const [account, amount] of model.accounts()) add(account, amount)
    add(model.owed() > 0 ? 'Receivable' : 'Advances of Customers', model.owed())
  }
  const changed = shown.map((each) => [each.account, each.debitPaise - each.creditPaise - start.get(each.account)!])
  expect(Object.fromEntries(changed)).toEqual(
    Object.fromEntries(shown.map(({ account }) => [account, (expected.get(account) ?? 0) + 0])),
  )
}

/** Compares the ageing with the open amounts of the model. */
async function expectAgeing(customers: readonly Customer[], today: string): Promise<void> {
  const rows = new Map((await ageing(db, today)).map(({ organization, ...row }) => [organization, row]))
  for (const { name, model } of customers) {
    const sums = { notDuePaise: 0, to30Paise: 0, to60Paise: 0, to90Paise: 0, over90Paise: 0, totalPaise: 0 }
    for (const { dueOn, open } of model.allocation().open) {
      const days = (Date.parse(today) - Date.parse(dueOn)) / 86_400_000
      const column = (['notDuePaise', 'to30Paise', 'to60Paise', 'to90Paise'] as const)[
        Math.max(0, Math.ceil(days / 30))
      ]
      sums[column ?? 'over90Paise'] += open
      sums.totalPaise += open
    }
    expect([name, rows.get(name) ?? { ...sums, totalPaise: 0 }]).toEqual([name, sums])
    expect(sums.totalPaise).toBe(Math.max(0, model.owed()))
  }
}

/**
 * Invoiced amounts by month of the test organisations that existed before the simulation. The model does not include
 * them.
 */
const existingTotals = new Map<string, Money>()

/**
 * Validates the GSTR-1 file of a month. Compares GSTR-1 with the model table by table, and with the ledger.
 * @returns the advances received minus those adjusted
 */
async function expectGstReturn(customers: readonly Customer[], month: string): Promise<number> {
  const { tables, accounts, entries } = await comparison(db, SUPPLIER.gstin, month)
  const file = await gstr1(db, SUPPLIER.gstin, month)
  expectValid('gstr-1', file)
  const expected = new Map<string, Money>()
  for (const [table, money] of [
    ...customers.flatMap(({ model }) => model.gstReturnOf(month)),
    ['b2b', existingTotals.get(month) ?? NO_MONEY] as const,
  ])
    expected.set(table, plus(expected.get(table) ?? NO_MONEY, money))
  const isZero = (money: Money) => MONEY.every((head) => money[head] === 0)
  const supplies = tables.filter(({ table }) => !isAdvanceTable(table))
  const shown = supplies.map((each) => [each.table as string, asMoney(each)] as const)
  const nonZero = (all: Iterable<readonly [string, Money]>) =>
    Object.fromEntries([...all].filter(([, money]) => !isZero(money)))
  expect([month, nonZero(shown)]).toEqual([month, nonZero(expected)])
  const bySac = Object.values((file.hsn ?? {}) as Record<string, Record<'txval' | 'camt' | 'samt' | 'iamt', number>[]>)
  const summed = bySac
    .flat()
    .map(({ txval, camt, samt, iamt }) => [txval, camt, samt, iamt].map((amount) => Math.round(amount * 100)))
    .reduce<Money>(
      (sum, [taxable, cgst, sgst, igst]) => plus(sum, { taxable: taxable!, cgst: cgst!, sgst: sgst!, igst: igst! }),
      NO_MONEY,
    )
  expect(summed).toEqual([...expected.values()].reduce<Money>((sum, money) => plus(sum, money), NO_MONEY))
  const manual = customers.flatMap(({ model }) =>
    model.entries.filter(
      ({ date, kind, source }) => date.startsWith(month) && source === 'manual' && kind.startsWith('invoice'),
    ),
  )
  const listed = manual.filter(({ kind }) => kind === 'invoice').reduce((sum, { amount }) => sum + amount, 0)
  for (const { account, returnPaise, ledgerPaise, listedPaise } of accounts)
    expect([account, ledgerPaise - returnPaise - listedPaise, listedPaise]).toEqual([
      account,
      0,
      account === 'Sales' ? listed : 0,
    ])
  const financial = customers.flatMap(({ model }) =>
    [...model.documents].filter(([, each]) => each.kind === 'financial credit note' && each.date.startsWith(month)),
  )
  expect(entries.map(({ number }) => number).toSorted()).toEqual(
    [...manual.map(({ reference }) => reference), ...financial.map(([number]) => number)].toSorted(),
  )
  const advances = (table: string) =>
    tables.filter((each) => each.table === table).reduce((sum, each) => plus(sum, asMoney(each)), NO_MONEY)
  const net = minus(advances('at'), advances('txpd'))
  return net.taxable + net.cgst + net.sgst + net.igst
}

const amountIn = (text: string): number => Math.round(Number(text) * 100) + 0
const column = (line: readonly string[], head: readonly string[], name: string): number =>
  amountIn(line[head.indexOf(name)]!)

/** Compares the Zoho Books lines of a ledger entry with the entry. */
function expectZoho(entry: BookedEntry): void {
  const { kind, source, document, amount } = entry
  if (kind === 'invoice' || (kind === 'payment' && source === 'issued')) {
    const head = ZOHO_HEAD[kind === 'invoice' ? 'invoices' : 'credit notes']
    const lines = zohoLines(entry)
    const sum = (name: string) => lines.reduce((total, line) => total + column(line, head, name), 0)
    expect(sum('Item Price')).toBe(document?.totals.taxablePaise ?? amount)
    expect(sum('Adjustment')).toBe(document?.totals.roundOffPaise ?? 0)
  } else if (kind === 'payment') {
    const lines = zohoLines(entry)
    for (const line of lines) expect(column(line, ZOHO_HEAD.payments, 'Amount')).toBe(amount)
    const sum = (name: string) => lines.reduce((total, line) => total + column(line, ZOHO_HEAD.payments, name), 0)
    const applied = entry.applied.reduce((total, each) => total + each.amount, 0)
    expect(sum('Amount Applied to Invoice')).toBe(applied)
    expect(applied).toBeLessThanOrEqual(amount)
  }
}

/** Compares the TallyPrime vouchers and the Zoho Books lines of a month with the ledger, account by account. */
async function expectExports(customers: readonly Customer[], month: string): Promise<void> {
  const period = periodOf(month)
  const exported = new Map<string, number>()
  const parties = new Set<string>()
  for (const { id } of customers) {
    for await (const entry of bookedEntries(db, 'all entries', period, id)) {
      parties.add(entry.ledger)
      const lines = tallyVoucher(entry).matchAll(/<LEDGERNAME>([^<]+)<\/LEDGERNAME>.*?<AMOUNT>(-?[\d.]+)<\/AMOUNT>/gs)
      let total = 0
      for (const [, name, amount] of lines) {
        const account = parties.has(name!) ? 'Customers' : name!
        total -= amountIn(amount!)
        exported.set(account, (exported.get(account) ?? 0) - amountIn(amount!))
      }
      expect([entry.reference, total + 0]).toEqual([entry.reference, 0])
      expectZoho(entry)
    }
  }
  const { rows } = await sql<{ account: string; paise: number }>`
    select case when a.code in ('receivable', 'advances') then 'Customers' else a.name end as account,
      sum(p.paise)::bigint as paise
    from posting p join ledger_entry e on e.id = p.entry_id join ledger_account a on a.code = p.account
    where e.date between ${period.from}::date and ${period.to}::date
      and e.organisation_id = any(${customers.map(({ id }) => id)}::uuid[]) group by 1`.execute(db)
  const nonZero = (sums: Iterable<readonly [string, number]>) =>
    Object.fromEntries([...sums].filter(([, amount]) => amount !== 0))
  expect(nonZero(exported)).toEqual(nonZero(rows.map((row) => [row.account, row.paise] as const)))
}

/** Adds a random undertaking (LUT) and a random tax rate for a month. */
async function changeRules(chance: Chance, month: string, isFirst: boolean): Promise<void> {
  const { rates, undertakings } = calendar
  if (isFirst || month.endsWith('-04')) {
    const year = yearOf(dayIn(month, 1))
    if (chance.percent(60)) undertakings.push({ year, number: `LUT ${year}` })
  }
  if (chance.percent(30) && rates.length < 45) {
    const others = [500, 1_200, 1_800, 2_800].filter((each) => each !== rates.at(-1)!.basisPoints)
    rates.push({ from: dayIn(month, 2 + chance.below(27)), basisPoints: chance.oneOf(others) })
  }
  await sendOk('PATCH', '/admin/supplier', { rates, undertakings })
}

async function addCustomers(): Promise<Customer[]> {
  const gst = '29AABCR1718E1ZL'
  const kinds = {
    local: { ...ADDRESS, gst },
    elsewhere: { ...ADDRESS, state: '33' },
    zone: { ...ADDRESS, place: 'sez', gst },
    abroad: { addressLine1: '1 Souk', city: 'Dubai', place: 'abroad', country: 'AE' },
  }
  const customers: Customer[] = []
  for (let index = 0; index < CUSTOMERS; index++) {
    const kind = CUSTOMER_KINDS[index % CUSTOMER_KINDS.length]!
    const added = await addCustomer(portal, `Oracle ${kind} ${index}`, 1, kinds[kind])
    const model = new CustomerModel(kind, PAISE_PER_HOUR)
    customers.push({ ...added, model, chance: new Chance(SEED + 7_919 * (index + 1)), count: 0, charged: new Map() })
  }
  return customers
}

test(
  `agrees with an independent model in ${MONTHS * CUSTOMERS} random months`,
  { timeout: Math.max(240_000, MONTHS * CUSTOMERS * 15_000) },
  async () => {
    await setClock(portal, '2026-09-01T06:00:00Z')
    uid = await portal.sessionOf(PEOPLE.superadmin)
    const prefixes = { invoicePrefix: 'ORC', creditNotePrefix: 'ORN', debitNotePrefix: 'ORD', receiptPrefix: 'ORR' }
    const otherPrefixes = { refundPrefix: 'ORF', financialNotePrefix: 'ORX', vouchersFrom: '2026-09-01' }
    await sendOk('PATCH', '/admin/supplier', { ...SETTINGS, ...prefixes, ...otherPrefixes })
    const customers = await addCustomers()
    const start = new Map(
      (await trialBalance(db, '2099-12-31')).accounts.map((each) => [each.account, each.debitPaise - each.creditPaise]),
    )
    const { rows } = await sql<Money & { month: string }>`
      select to_char(issued_on, 'YYYY-MM') as month, sum(taxable_paise)::bigint as taxable, sum(cgst_paise)::bigint as cgst,
        sum(sgst_paise)::bigint as sgst, sum(igst_paise)::bigint as igst
      from tax_document where kind = 'invoice' group by 1`.execute(db)
    for (const { month: issuedIn, ...sums } of rows) existingTotals.set(issuedIn, sums)
    const chance = new Chance(SEED)
    const validity = customers.map((_, index) => [null, 20, 75][index % 3]!)
    let month = '2026-09'
    for (const [index, { name }] of customers.entries()) {
      if (validity[index] === null) continue
      const terms = { hardLimit: false, low: 0, validDays: validity[index] }
      await sendOk('POST', '/admin/credit/account', { organization: name, ...terms })
      customers[index]!.model.prepaidFrom = Date.parse('2026-09-01T06:00:00Z')
    }
    const seen = new Map(customers.map((customer) => [customer, 0]))
    const months = new Set<string>()
    for (let count = 0; count < MONTHS; count++) {
      const today = dayIn(monthAfter(month), 3 + chance.below(7))
      const now = Date.parse(`${today}T06:00:00Z`)
      await setClock(portal, new Date(now).toISOString())
      uid = await portal.sessionOf(PEOPLE.superadmin)
      await changeRules(chance, month, count === 0)
      for (const each of customers) await addUsage(each, month)
      await db.transaction().execute((tx) => evaluateDuePrepaidAccounts(tx, jobs))
      await Promise.all(customers.map((each, index) => simulateMonth(each, month, today, now, validity[index]!)))
      await expectVouchers(customers, seen)
      expectSerials()
      await expectTrialBalance(customers, start)
      await expectAgeing(customers, today)
      for (const each of [month, monthAfter(month)]) {
        months.add(each)
        await expectGstReturn(customers, each)
        await expectExports(customers, each)
      }
      if (IS_LONG && count % 5 === 4) console.log(`${(count + 1) * CUSTOMERS} months agree`)
      month = monthAfter(month)
    }
    let advances = 0
    for (const each of ['2026-08', ...months]) advances += await expectGstReturn(customers, each)
    const customerCredits = customers.reduce((sum, { model }) => sum + Math.max(0, -model.owed()), 0)
    expect(advances).toBeLessThanOrEqual(customerCredits)
    const broken = await brokenInvariants(portal.owner, { quiet: false })
    expect(broken.filter(({ name }) => name.startsWith('L'))).toEqual([])
    if (IS_LONG) console.log(Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))))
  },
)
