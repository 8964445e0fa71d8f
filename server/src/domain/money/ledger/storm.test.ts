import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TaxDocument } from '@trainyard/contract/calls/invoice.ts'
import { periodOf } from '@trainyard/contract/words/books.ts'
import { isAdvanceTable } from '@trainyard/contract/words/gst-return.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { addCustomer, ADDRESS, SETTINGS, setClock, type TestCustomer } from '#test/invoicing.ts'
import { sharedPortal } from '#test/shared.ts'
import { SUPPLIER } from '#test/tax-documents.ts'
import { createSubjects, PEOPLE } from '#test/world.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import { bookedEntries } from '../books/entries.ts'
import { tallyVoucher } from '../books/tally-xml.ts'
import { creditStateOf } from '../credit/prepaid.ts'
import { comparison } from '../gst-return/content.ts'
import { nearest, wordsOf } from '../invoice/gst/test-oracle.ts'
import { issueInvoice } from '../invoice/issue.ts'
import { issueDueVouchers } from '../invoice/vouchers.ts'
import { allocations } from './allocation.ts'
import { balanceOf } from './balance.ts'
import { ageing, type OpenInvoice, openInvoices } from './open.ts'
import { trialBalance } from './trial-balance.ts'

/**
 * The test generates random months for four kinds of customers and compares them with an independent model of the tax
 * rules and of the accounts. The long form (`npm run storm`) has 250 months per customer, the short form has 5.
 * ORACLE_MONTHS and ORACLE_SEED change the number of months and the seed.
 */
const MONTHS = Number(process.env['ORACLE_MONTHS'] ?? (process.env.STORM === 'long' ? 250 : 5))
const PAISE_PER_HOUR = 1_250n
const SEED = Number(process.env['ORACLE_SEED'] ?? 40)

let seed = SEED
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
const chance = (percent: number): boolean => random(100) < percent

const portal = await sharedPortal()
await createSubjects(portal)
const { db } = portal.app
const jobs = { enqueue: async () => {} }

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function ask(method: string, path: string, body: unknown): Promise<Body> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const reply = await portal.request(method, path, { uid, body })
  const answer = (await reply.json()) as { message: string }
  expect([reply.status, answer.message]).toEqual([200, expect.any(String)])
  return answer
}
const settings = (changes: object) => ask('PATCH', '/admin/supplier', changes)

interface Receipt {
  readonly id: string
  readonly date: string
  readonly paise: number
  readonly tds: number
  isReversed: boolean
}

interface Run {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly seconds: number
}

interface Modelled extends TestCustomer {
  readonly kind: 'local' | 'elsewhere' | 'zone' | 'abroad'
  readonly runs: Run[]
  /** Prepaid credit in paise, keyed by the ID of its payment. */
  readonly prepaid: Map<string, number>
  /** First purchase of prepaid credit. */
  prepaidFrom: number | null
  readonly receipts: Receipt[]
  /** Invoices minus credit notes and write-offs. */
  invoiced: number
}

/** Sums of all accounts except the customers' accounts; debits are positive. */
const accounts = new Map<string, number>()
const post = (account: string, paise: number) => accounts.set(account, (accounts.get(account) ?? 0) + paise)
const received = ({ receipts }: Modelled, before = '9') =>
  receipts
    .filter(({ date, isReversed }) => !isReversed && date < before)
    .reduce((sum, { paise, tds }) => sum + paise + tds, 0)
const owedBy = (customer: Modelled) => customer.invoiced - received(customer)

const rates: { from: string; basisPoints: number }[] = [{ from: '2017-07-01', basisPoints: 1_800 }]
const undertakings: { year: string; number: string }[] = []
const serials = new Map<string, number>()
const yearOf = (day: string): string => {
  const start = Number(day.slice(2, 4)) - (day.slice(5, 7) < '04' ? 1 : 0)
  return `${start}-${start + 1}`
}
const numberOn = (prefix: string, day: string): string => {
  const series = `${prefix}/${yearOf(day)}`
  serials.set(series, (serials.get(series) ?? 0) + 1)
  return `${series}/${String(serials.get(series)).padStart(5, '0')}`
}
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`
const monthAfter = (month: string): string => {
  const [year, index] = month.split('-').map(Number)
  return index === 12 ? `${year! + 1}-01` : dayOf(String(year), index! + 1)
}
const bill = (seconds: bigint): number => Number(nearest(seconds * PAISE_PER_HOUR, 3_600n))

interface ModelledItem {
  readonly taxable: number
  readonly rate: number
}
type Taxes = Readonly<Record<'cgst' | 'sgst' | 'igst', number>>

function taxesOn({ kind }: Modelled, day: string, taxable: number, rate: number): Taxes {
  const isFree = kind === 'zone' || kind === 'abroad' ? undertakings.some(({ year }) => year === yearOf(day)) : false
  if (isFree) return { cgst: 0, sgst: 0, igst: 0 }
  if (kind !== 'local') return { cgst: 0, sgst: 0, igst: Number(nearest(BigInt(taxable) * BigInt(rate), 10_000n)) }
  const half = Number(nearest(BigInt(taxable) * BigInt(rate), 20_000n))
  return { cgst: half, sgst: half, igst: 0 }
}

/**
 * Returns the items by sections 13 and 14 of the CGST Act. Usage before a change of the rate that was paid before it is
 * a separate item.
 */
function itemsOf(
  customer: Modelled,
  used: number,
  usedBefore: (change: string) => number,
  day: string,
): ModelledItem[] {
  const inForce = rates.filter(({ from }) => from <= day)
  const [present, previous] = [inForce.at(-1)!, inForce.at(-2)]
  if (previous === undefined) return [{ taxable: used, rate: present.basisPoints }]
  const advance = Math.max(0, received(customer, present.from) - customer.invoiced)
  const paid = Number(nearest(BigInt(advance) * 10_000n, 10_000n + BigInt(previous.basisPoints)))
  const old = Math.min(usedBefore(present.from), paid)
  return [
    { taxable: old, rate: previous.basisPoints },
    { taxable: used - old, rate: present.basisPoints },
  ].filter(({ taxable }) => taxable > 0)
}

async function addUsage(customer: Modelled, month: string) {
  const runs = [dayOf(month, 1 + random(12)), dayOf(month, 14 + random(13))].map((day) => {
    return { start: Date.parse(`${day}T00:00:00+05:30`) + random(80_000) * 1_000, seconds: 600 + random(20_000) }
  })
  for (const { start, seconds } of runs) {
    await sql`insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, closed_by)
      select id, organisation_id, ${new Date(start)}::timestamptz, ${new Date(start + seconds * 1_000)}::timestamptz,
        paise_per_hour, 'imported' from machine where organisation_id = ${customer.id}`.execute(portal.owner)
  }
  const before = usedUntil(customer, Infinity)
  const usedBefore = (change: string) =>
    Math.max(0, usedUntil(customer, Date.parse(`${change}T00:00:00+05:30`)) - before)
  customer.runs.push(...runs)
  return { used: usedUntil(customer, Infinity) - before, usedBefore }
}

/** Returns the bill of the machine of a customer until an instant. */
const usedUntil = ({ runs }: Modelled, at: number): number =>
  bill(
    BigInt(
      runs.reduce(
        (sum, { start, seconds }) => sum + Math.min(seconds, Math.max(0, Math.floor((at - start) / 1_000))),
        0,
      ),
    ),
  )

/** Buys prepaid credit. It is the part of the payment that exceeds what is owed, before the tax of that day. */
async function buyCredit(customer: Modelled, date: string, now: number) {
  const paise = 1 + random(200_000)
  const id = `R ${++receipts}`
  await ask('POST', '/admin/credit/purchases', { organization: customer.name, id, date, amount: paise / 100 })
  customer.receipts.push({ id, date, paise, tds: 0, isReversed: false })
  post('Bank', paise)
  const gross = Math.min(paise, Math.max(0, 0 - owedBy(customer)))
  const isFree = taxesOn(customer, date, 10_000, 1_800)
  const rate = isFree.cgst + isFree.igst === 0 ? 0 : rates.findLast(({ from }) => from <= date)!.basisPoints
  const credit = Number(nearest(BigInt(gross) * 10_000n, 10_000n + BigInt(rate)))
  if (credit === 0) return
  customer.prepaid.set(id, credit)
  customer.prepaidFrom ??= now
}

async function expectCredit(customer: Modelled, now: number) {
  const account = await db
    .selectFrom('prepaid_account')
    .selectAll()
    .where('organisation_id', '=', customer.id)
    .executeTakeFirst()
  expect(account === undefined).toBe(customer.prepaidFrom === null)
  if (account === undefined) return
  const { bought, used, left } = await creditStateOf(db, account)
  const isBought = ({ id, isReversed }: Receipt) => !isReversed && customer.prepaid.has(id)
  const credit = customer.receipts.filter(isBought).reduce((sum, { id }) => sum + customer.prepaid.get(id)!, 0)
  const usage = usedUntil(customer, now) - usedUntil(customer, customer.prepaidFrom!)
  expect([bought, used, left]).toEqual([credit, usage, credit - usage])
}

/** Compares the allocated receipts of each invoice of a customer with its open amount. */
async function expectAllocation({ id }: Modelled, open: readonly OpenInvoice[]) {
  const left = new Map<string, number>()
  const { rows } = await sql<{ number: string; due: number }>`
    select i.number, i.total_paise - coalesce(sum(n.total_paise), 0)::bigint as due
    from tax_document i left join tax_document n on n.of_document = i.id
    where i.organisation_id = ${id} and i.kind = 'invoice' group by i.id`.execute(db)
  for (const { number, due } of rows) left.set(number, due)
  for (const { invoice, amount } of [...(await allocations(db, id)).values()].flat())
    left.set(invoice, left.get(invoice)! - amount)
  const stillOpen = [...left].filter(([, paise]) => paise !== 0)
  expect(Object.fromEntries(stillOpen)).toEqual(Object.fromEntries(open.map((each) => [each.invoice, each.open])))
}

const documentOf = async (number: string): Promise<TaxDocument> => {
  const row = await db
    .selectFrom('tax_document')
    .select('content')
    .where('number', '=', number)
    .executeTakeFirstOrThrow()
  return row.content as TaxDocument
}
const sumOf = (parts: readonly Taxes[], head: keyof Taxes) => parts.reduce((sum, part) => sum + part[head], 0)

/** Supplies of GSTR-1 by month, as the model expects them. */
const returned = new Map<string, Taxes & { readonly taxable: number }>()

/** Compares a document with the model, posts it there, and returns its total. */
async function expectDocument(
  number: string,
  date: string,
  sign: 1 | -1,
  items: readonly (ModelledItem & Taxes)[],
  roundOff: number,
): Promise<number> {
  const document = await documentOf(number)
  const taxable = items.reduce((sum, item) => sum + item.taxable, 0)
  const [cgst, sgst, igst] = [sumOf(items, 'cgst'), sumOf(items, 'sgst'), sumOf(items, 'igst')]
  const total = taxable + cgst + sgst + igst + roundOff
  expect([document.number, document.date, document.words]).toEqual([number, date, wordsOf(BigInt(total))])
  expect(document.totals).toEqual({
    taxablePaise: taxable,
    cgstPaise: cgst,
    sgstPaise: sgst,
    igstPaise: igst,
    roundOffPaise: roundOff,
    totalPaise: total,
  })
  expect(document.items.map(({ taxablePaise, rate }) => ({ taxable: taxablePaise, rate }))).toEqual(
    items.map((item) => ({ taxable: item.taxable, rate: item.rate })),
  )
  post('Sales', -sign * taxable)
  post('Output CGST', -sign * cgst)
  post('Output SGST', -sign * sgst)
  post('Output IGST', -sign * igst)
  post('Round Off', -sign * roundOff)
  const before = returned.get(date.slice(0, 7)) ?? { taxable: 0, cgst: 0, sgst: 0, igst: 0 }
  returned.set(date.slice(0, 7), {
    taxable: before.taxable + sign * taxable,
    cgst: before.cgst + sign * cgst,
    sgst: before.sgst + sign * sgst,
    igst: before.igst + sign * igst,
  })
  return total
}

let receipts = 0
async function pay(customer: Modelled, date: string, paise: number, settles: string | null) {
  const tds = chance(30) ? 1 + random(paise) : 0
  const id = `R ${++receipts}`
  await ask('POST', '/admin/ledger/addTransaction', {
    organization: customer.name,
    type: 'payment',
    id,
    date,
    settles,
    amount: paise / 100,
    confirmed: true,
    ...(tds > 0 && { tds: { amount: tds / 100, section: '393(1)' } }),
  })
  customer.receipts.push({ id, date, paise, tds, isReversed: false })
  post('Bank', paise)
  post('TDS Receivable', tds)
}

async function reverseReceipt(customer: Modelled, date: string) {
  const receipt = customer.receipts.findLast(({ isReversed }) => !isReversed)
  if (receipt === undefined) return
  const request = { organization: customer.name, kind: 'payment', id: receipt.id, reason: 'Bounced', date }
  await ask('POST', '/admin/ledger/reverse', request)
  receipt.isReversed = true
  post('Receipt Reversals', -receipt.paise)
  post('TDS Reversals', -receipt.tds)
}

async function creditPart(customer: Modelled, number: string, day: string, invoiceDay: string, invoiceTotal: number) {
  const { items } = await documentOf(number)
  const { taxablePaise, rate } = items[0]!
  const taxable = 1 + random(taxablePaise)
  const taxes = taxesOn(customer, invoiceDay, taxable, rate)
  const exact = taxable + taxes.cgst + taxes.sgst + taxes.igst
  const isWhole = items.length === 1 && taxable === taxablePaise
  const roundOff = isWhole ? invoiceTotal - exact : Math.min(0, invoiceTotal - exact)
  const request = { number, reason: 'Part not used', items: [{ item: 1, amount: taxable / 100 }] }
  const note = (await ask('POST', '/admin/invoice/credit', request)).number as string
  expect(note).toBe(numberOn('ORN', day))
  customer.invoiced -= await expectDocument(note, day, -1, [{ taxable, rate, ...taxes }], roundOff)
}

/**
 * Compares GSTR-1 of a month with the model and with the ledger. Returns the advances received minus those adjusted.
 */
async function expectReturn(month: string): Promise<number> {
  const { tables, accounts: compared, entries } = await comparison(db, SUPPLIER.gstin, month)
  const sum = (isAdvance: boolean, of: 'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise', without = '') =>
    tables
      .filter(({ table }) => isAdvanceTable(table) === isAdvance && table !== without)
      .reduce((total, each) => total + each[of], 0)
  const heads = ['taxablePaise', 'cgstPaise', 'sgstPaise', 'igstPaise'] as const
  const { taxable, cgst, sgst, igst } = returned.get(month) ?? { taxable: 0, cgst: 0, sgst: 0, igst: 0 }
  expect(heads.map((head) => sum(false, head))).toEqual([taxable, cgst, sgst, igst])
  for (const { account, returnPaise, ledgerPaise, listedPaise } of compared)
    expect([month, account, ledgerPaise - returnPaise, listedPaise]).toEqual([month, account, 0, 0])
  expect(entries).toEqual([])
  return heads.reduce((total, head) => total + sum(true, head, 'txpd') - sum(true, head, 'at'), 0)
}

/** Compares the totals of TallyPrime's vouchers of a month with the ledger, by account. */
async function expectVouchers(customers: readonly Modelled[], month: string) {
  const period = periodOf(month)
  const exported = new Map<string, number>()
  const parties = new Map<string, string>()
  for (const { id } of customers) {
    for await (const entry of bookedEntries(db, 'all entries', period, id)) {
      parties.set(entry.ledger, 'Customers')
      const xml = tallyVoucher(entry)
      const lines = xml.matchAll(/<LEDGERNAME>([^<]+)<\/LEDGERNAME>.*?<AMOUNT>(-?[\d.]+)<\/AMOUNT>/gs)
      let total = 0
      for (const [, name, amount] of lines) {
        const account = parties.get(name!) ?? name!
        const paise = 0 - Math.round(Number(amount) * 100)
        total += paise
        exported.set(account, (exported.get(account) ?? 0) + paise)
      }
      expect([entry.reference, total]).toEqual([entry.reference, 0])
    }
  }
  const { rows } = await sql<{ account: string; paise: number }>`
    select case when a.code in ('receivable', 'advances') then 'Customers' else a.name end as account,
      sum(p.paise)::bigint as paise
    from posting p join ledger_entry e on e.id = p.entry_id join ledger_account a on a.code = p.account
    where e.date between ${period.from}::date and ${period.to}::date
      and e.organisation_id = any(${customers.map(({ id }) => id)}::uuid[]) group by 1`.execute(db)
  const nonZero = (sums: Iterable<readonly [string, number]>) =>
    Object.fromEntries([...sums].filter(([, paise]) => paise !== 0))
  expect(nonZero(exported)).toEqual(nonZero(rows.map(({ account, paise }) => [account, paise] as const)))
}

type Invoice = Parameters<typeof issueInvoice>[2]

/** Loses the database connection after an invoice is issued and before the commit. */
async function expectNoTraceOfLostIssue(invoice: Invoice): Promise<void> {
  const before = await balanceOf(db, invoice.organisation)
  const issued = db.transaction().execute(async (tx) => {
    await issueInvoice(tx, jobs, invoice)
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  })
  await expect(issued).rejects.toThrow(/terminat|connection/i)
  expect(await balanceOf(db, invoice.organisation)).toBe(before)
}

/**
 * Issues an invoice. Some attempts lose their database connection before the commit; others are 20 concurrent attempts.
 */
async function issueUnderFaults(organisation: OrganisationId, month: string): Promise<string> {
  const invoice: Invoice = { organisation, month, digest: null, by: 'test' }
  if (chance(10)) await expectNoTraceOfLostIssue(invoice)
  const attempts = chance(5) ? 20 : 1
  const results = await Promise.allSettled(
    Array.from({ length: attempts }, () => db.transaction().execute((tx) => issueInvoice(tx, jobs, invoice))),
  )
  const issued = results.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
  if (issued.length === 0) throw (results[0] as PromiseRejectedResult).reason
  expect(issued).toHaveLength(1)
  return issued[0]!
}

/** Compares every account with the model, and debits with credits. */
async function expectAccounts(customers: readonly Modelled[], start: ReadonlyMap<string, number>) {
  const { accounts: shown, debitPaise, creditPaise } = await trialBalance(db, '2099-12-31')
  expect(debitPaise).toBe(creditPaise)
  const sum = (of: (owed: number) => number) => customers.reduce((total, customer) => total + of(owedBy(customer)), 0)
  accounts.set(
    'Receivable',
    sum((owed) => Math.max(0, owed)),
  )
  accounts.set(
    'Advances of Customers',
    sum((owed) => Math.min(0, owed)),
  )
  const changed = shown.map(({ account, debitPaise: debit, creditPaise: credit }) => [
    account,
    debit - credit - start.get(account)!,
  ])
  expect(Object.fromEntries(changed)).toEqual(
    Object.fromEntries(shown.map(({ account }) => [account, (accounts.get(account) ?? 0) + 0])),
  )
}

test(`agrees with an independent model in ${MONTHS * 4} random months`, { timeout: MONTHS * 60_000 }, async () => {
  await setClock(portal, '2026-09-01T06:00:00Z')
  await settings({ ...SETTINGS, invoicePrefix: 'ORC', creditNotePrefix: 'ORN', vouchersFrom: '2026-09-01' })
  const gst = '29AABCR1718E1ZL'
  const kinds = {
    local: { ...ADDRESS, gst },
    elsewhere: { ...ADDRESS, state: '33' },
    zone: { ...ADDRESS, place: 'sez', gst },
    abroad: { addressLine1: '1 Souk', city: 'Dubai', place: 'abroad', country: 'AE' },
  }
  const customers: Modelled[] = []
  for (const [kind, billing] of Object.entries(kinds) as [Modelled['kind'], Record<string, unknown>][]) {
    const added = await addCustomer(portal, `Oracle ${kind}`, 1, billing)
    customers.push({ ...added, kind, runs: [], receipts: [], invoiced: 0, prepaid: new Map(), prepaidFrom: null })
  }
  const start = new Map(
    (await trialBalance(db, '2099-12-31')).accounts.map((each) => [each.account, each.debitPaise - each.creditPaise]),
  )
  // The documents of the test subjects are not part of the model.
  const { rows: earlier } = await sql<Taxes & { month: string; taxable: number }>`
    select to_char(issued_on, 'YYYY-MM') as month, sum(taxable_paise)::bigint as taxable, sum(cgst_paise)::bigint as cgst,
      sum(sgst_paise)::bigint as sgst, sum(igst_paise)::bigint as igst
    from tax_document where kind = 'invoice' group by 1`.execute(db)
  for (const { month: of, ...sums } of earlier) returned.set(of, sums)
  let month = '2026-09'
  const months = ['2026-08']
  for (let count = 0; count < MONTHS; count++) {
    if (count === 0 || month.endsWith('-04')) {
      const year = yearOf(dayOf(month, 1))
      if (chance(60)) undertakings.push({ year, number: `LUT ${year}` })
    }
    if (chance(30) && rates.length < 45) {
      const basisPoints = [500, 1_200, 1_800, 2_800].filter((each) => each !== rates.at(-1)!.basisPoints)[random(3)]!
      rates.push({ from: dayOf(month, 2 + random(27)), basisPoints })
    }
    const next = monthAfter(month)
    const today = dayOf(next, 2 + random(20))
    const now = Date.parse(`${today}T06:00:00Z`)
    await setClock(portal, new Date(now).toISOString())
    await settings({ rates, undertakings })
    for (const customer of customers) {
      if (chance(50)) await pay(customer, dayOf(month, 1 + random(28)), 1 + random(80_000), null)
      if (chance(15)) await buyCredit(customer, dayOf(month, 1 + random(28)), now)
      const { used, usedBefore } = await addUsage(customer, month)
      const items = itemsOf(customer, used, usedBefore, today).map((item) => {
        return { ...item, ...taxesOn(customer, today, item.taxable, item.rate) }
      })
      const exact = items.reduce((sum, item) => sum + item.taxable + item.cgst + item.sgst + item.igst, 0)
      const roundOff = Number(nearest(BigInt(exact), 100n)) * 100 - exact
      const number = await issueUnderFaults(customer.id, month)
      expect(number).toBe(numberOn('ORC', today))
      const total = await expectDocument(number, today, 1, items, roundOff)
      customer.invoiced += total
      if (chance(30)) await creditPart(customer, number, today, today, total)
      if (chance(50)) await pay(customer, today, [total, Math.ceil(total / 2), total * 2][random(3)]!, number)
      if (chance(15)) await reverseReceipt(customer, today)
      const open = await openInvoices(db, today, { organisation: customer.id })
      expect(open.reduce((sum, each) => sum + each.open, 0)).toBe(Math.max(0, owedBy(customer)))
      await expectAllocation(customer, open)
      if (chance(15) && open.length > 0) {
        const amount = 1 + random(open[0]!.open)
        const request = { organization: customer.name, invoice: open[0]!.invoice, reason: 'Not paid', date: today }
        await ask('POST', '/admin/ledger/writeOff', { ...request, amount: amount / 100 })
        customer.invoiced -= amount
        post('Bad Debts Written Off', amount)
      }
      expect(await balanceOf(db, customer.id)).toBe(owedBy(customer))
      await expectCredit(customer, now)
    }
    await expectAccounts(customers, start)
    const aged = await ageing(db, today)
    expect(aged.reduce((sum, { totalPaise }) => sum + totalPaise, 0)).toBe(accounts.get('Receivable'))
    await issueDueVouchers(db, jobs, new AbortController().signal)
    months.push(month)
    month = next
  }
  months.push(month)
  let advances = 0
  for (const each of months) {
    advances += await expectReturn(each)
    await expectVouchers(customers, each)
  }
  expect(advances).toBeLessThanOrEqual(0 - accounts.get('Advances of Customers')!)
  expect(rates.length).toBeGreaterThan(1)
  const broken = await brokenInvariants(portal.owner, { quiet: false })
  expect(broken.filter(({ name }) => name.startsWith('L'))).toEqual([])
})
