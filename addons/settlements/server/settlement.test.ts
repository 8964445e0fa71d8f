import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { UNSETTLED_DAYS } from '../contract/settlement-words.ts'
import { fault, newPayer, type Payer } from '@trainyard/platform/test/payments.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { addRefundEntry } from '@trainyard/payments/server/refund-entry.ts'
import { readSettlements } from './read.ts'

const DAY = 86_400
const env = await sharedEnvironment()
const never = new AbortController().signal
let root: Awaited<ReturnType<typeof env.signIn>>
let payer: Payer

const read = () => readSettlements(env.portal.app.db, env.parts.payments!, never)
const get = async (path: string) => (await root('GET', path)).body
const dayOf = (instant: Date) => new Date(instant.getTime() + 330 * 60_000).toISOString().slice(0, 10)
const today = () => dayOf(env.now())
const secondsAgo = (days: number) => Math.floor(env.now().getTime() / 1000) - days * DAY
const change = (line: object) => env.control('POST', '/_settlements/lines', line)

async function pay(rupees: number): Promise<string> {
  const paid = await payer.paidOrder(rupees)
  await payer.verify(paid)
  return paid.payment_id
}

/** Returns the balances of the accounts of the provider in rupees, by account. */
async function balances(): Promise<Record<string, number>> {
  const { accounts, debitPaise, creditPaise } = await get(`/admin/ledger/trial-balance?on=${today()}`)
  expect(debitPaise).toBe(creditPaise)
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  const shown = new Set([
    'Bank',
    'Payment Provider',
    'Provider Fees',
    'Input GST on Provider Fees',
    'Provider Adjustments',
  ])
  const parts = (accounts as { account: string; debitPaise: number; creditPaise: number }[]).filter(({ account }) =>
    shown.has(account),
  )
  return Object.fromEntries(parts.map((each) => [each.account, (each.debitPaise - each.creditPaise) / 100]))
}

/** Returns the change of the balances by an action. */
async function changeBy(action: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await balances()
  await action()
  const after = await balances()
  const changes = Object.entries(after).map(([account, rupees]) => [
    account,
    Math.round((rupees - before[account]!) * 100) / 100,
  ])
  return Object.fromEntries(changes.filter(([, rupees]) => rupees !== 0))
}

/** A settled line of the same account at the provider that the portal does not know. */
const foreign = (rupees: number, more: object = {}) => ({
  entity_id: `pay_${randomUUID().slice(0, 14)}`,
  type: 'payment',
  amount: rupees * 100,
  credit: rupees * 100,
  debit: 0,
  fee: 0,
  tax: 0,
  currency: 'INR',
  settled: true,
  settlement_id: `setl_${randomUUID().slice(0, 14)}`,
  settlement_utr: 'UTR1',
  settled_at: secondsAgo(1),
  ...more,
})

beforeAll(async () => {
  root = await env.signIn('superadmin', 'root@settlements.test', null)
  payer = await newPayer(env)
})
afterEach(async () => {
  await env.control('DELETE', '/_faults')
})

describe('settlements', () => {
  let payment: string
  let settled: { id: string; date: string }

  test('are posted once: net amount to the bank, fee, GST on the fee, adjustments and refunds', async () => {
    payment = await pay(1_000)
    const refunded = (await env.control('POST', `/_payments/${payment}/refund`, { amount: 20_000 })).body.id as string
    const { db } = env.portal.app
    const refund = { id: refunded, amount: 20_000, at: env.now(), receipt: null, state: 'processed' } as const
    await db
      .transaction()
      .execute((tx) => addRefundEntry(tx, { organisation_id: payer.organisation, asked_by: 'test' }, payment, refund))
    await env.control('POST', '/_adjustments', { amount: -1_250, description: 'Chargeback fee' })
    expect(await changeBy(read)).toEqual({})
    await env.step(7 * DAY)
    // The fee of ₹23.60 includes GST of ₹3.60.
    const posted = {
      Bank: 763.9,
      'Payment Provider': -800,
      'Provider Fees': 20,
      'Input GST on Provider Fees': 3.6,
      'Provider Adjustments': 12.5,
    }
    expect(await changeBy(() => Promise.all([read(), read()]))).toEqual(posted)
    expect(await changeBy(read)).toEqual({})
    const { settlements, readTo, earlier } = await get('/admin/settlements')
    expect([readTo, earlier]).toEqual([dayOf(new Date(env.now().getTime() - DAY * 1000)), null])
    expect(settlements).toMatchObject([
      {
        lines: 3,
        paymentsPaise: 100_000,
        refundsPaise: -20_000,
        othersPaise: -1_250,
        feePaise: 2_000,
        taxPaise: 360,
        netPaise: 76_390,
      },
    ])
    settled = settlements[0]
    expect(settlements[0].utr).toMatch(/^\d{10}/)
    const { lines, entries } = await get(`/admin/settlement?id=${settled.id}`)
    expect(lines.map((line: { type: string; netPaise: number }) => [line.type, line.netPaise])).toEqual([
      ['adjustment', -1_250],
      ['payment', 97_640],
      ['refund', -20_000],
    ])
    expect(lines[1]).toMatchObject({ id: payment, organization: payer.email.slice(6, -5) })
    expect(entries).toEqual([{ number: 1, date: settled.date, netPaise: 76_390 }])
    expect(await get('/admin/settlements/differences')).toEqual({ balancePaise: 0, waitingPaise: 0, rows: [] })
  })

  test('post a corrected fee and a late line as entries of the current day', async () => {
    const { settlement_id, settlement_utr, settled_at } = (await change({ entity_id: payment })).body
    await change({ entity_id: payment, fee: 1_180, tax: 180, credit: 98_820 })
    await change(foreign(5, { entity_id: 'adj_late', type: 'adjustment', settlement_id, settlement_utr, settled_at }))
    // The day was read less than 20 hours ago.
    expect(await changeBy(read)).toEqual({})
    await env.step(DAY)
    expect(await changeBy(read)).toEqual({
      Bank: 16.8,
      'Provider Fees': -10,
      'Input GST on Provider Fees': -1.8,
      'Provider Adjustments': -5,
    })
    const { entries } = await get(`/admin/settlement?id=${settled.id}`)
    expect(entries).toEqual([
      { number: 1, date: settled.date, netPaise: 76_390 },
      { number: 2, date: today(), netPaise: 1_680 },
    ])
  })

  test('of a failed transfer move to the later settlement, even if the earlier day still lists them', async () => {
    const line = foreign(40, { settled_at: secondsAgo(2), settlement_utr: null })
    await change(line)
    await read()
    expect(await changeBy(() => env.step(DAY).then(read))).toMatchObject({ Bank: 40 })
    const again = { ...line, settlement_id: 'setl_again', settlement_utr: 'UTR2', settled_at: secondsAgo(1) }
    await change(again)
    expect(await changeBy(() => env.step(DAY).then(read))).toEqual({})
    expect((await get(`/admin/settlement?id=${line.settlement_id}`)).lines).toEqual([])
    expect((await get('/admin/settlement?id=setl_again')).lines).toMatchObject([
      { id: line.entity_id, netPaise: 4_000 },
    ])
    await change(line)
    expect(await changeBy(() => env.step(DAY).then(read))).toEqual({})
    expect((await get('/admin/settlement?id=setl_again')).lines).toHaveLength(1)
  })

  test('are read in pages; if a later page of a day fails, the whole day is read again', async () => {
    const settlement_id = 'setl_pages'
    for (let number = 0; number < 105; number += 1)
      await change(foreign(1, { settlement_id, type: 'adjustment', settled_at: secondsAgo(0) }))
    await env.step(DAY)
    // Only the day of this settlement is due, so the second request fetches the second page of this settlement.
    await sql`update settlement_day set read_at = portal_now()`.execute(env.db)
    await fault(env, 'malformed', 'Settlements_Recon', { every: 2, times: 1 })
    const failed = read().catch(String)
    expect(await changeBy(() => failed)).toEqual({})
    expect(await failed).toContain('could not be read')
    expect(await changeBy(read)).toEqual({ Bank: 105, 'Provider Adjustments': -105 })
    expect((await get(`/admin/settlement?id=${settlement_id}`)).lines).toHaveLength(105)
  })
})

test('list unsettled, unknown, manual, mismatched and inconsistent amounts, which explain the balance', async () => {
  const waiting = await pay(70)
  const mismatched = await pay(50)
  const stopped = await pay(30)
  const settled_at = secondsAgo(0)
  await change({
    ...foreign(30, { entity_id: stopped, settled_at, credit: 1, settlement_id: 'setl_differ' }),
  })
  await change(foreign(45, { entity_id: mismatched, settled_at, settlement_id: 'setl_differ' }))
  const typed = foreign(9, { settled_at, settlement_id: 'setl_differ' })
  await change(typed)
  const organization = payer.email.slice(6, -5)
  const entry = { organization, type: 'payment', id: typed.entity_id, amount: 9, date: today() }
  expect((await root('POST', '/admin/ledger/addTransaction', entry)).status).toBe(200)
  await env.step(DAY)
  // The emulator settles this payment two working days later, unless its line exists.
  await change(foreign(70, { entity_id: waiting, settled_at, settled: false, settlement_id: null }))
  await read()
  const seen = async () => {
    const { balancePaise, waitingPaise, rows } = await get('/admin/settlements/differences')
    const parts = rows as { id: string; reason: string; ledgerPaise: number; settledPaise: number }[]
    const compared = parts.filter(({ settledPaise }) => settledPaise !== 0)
    expect(compared.reduce((sum, each) => sum + each.ledgerPaise - each.settledPaise, waitingPaise)).toBe(balancePaise)
    return Object.fromEntries(parts.map(({ id, reason }) => [id, reason]))
  }
  expect(await seen()).toMatchObject({ [mismatched]: 'amount', [stopped]: 'sum', [typed.entity_id]: 'typed' })
  expect(Object.values(await seen())).toContain('unknown')
  expect(await seen()).not.toHaveProperty(waiting)
  await env.step((UNSETTLED_DAYS + 1) * DAY)
  expect(await seen()).toMatchObject({ [waiting]: 'unsettled' })
})

test('exports settlements with fee and GST on the fee to TallyPrime and Zoho Books', async () => {
  const uid = (await env.credentials('root@settlements.test')).token
  const exported = async (books: string, what: string, more: object = {}) => {
    const body = { books, what, from: '2020-01-01', to: today(), ...more }
    const reply = await env.portal.request('POST', '/admin/ledger/export', { uid, body })
    return { status: reply.status, text: await reply.text() }
  }
  const { settlements } = await get('/admin/settlements')
  const first = settlements.at(-1) as { id: string; utr: string; date: string }
  for (const what of ['settlements', 'all entries']) {
    const xml = (await exported('tally xml', what)).text
    const voucher = xml.match(
      new RegExp(`<VOUCHER[^>]*VCHTYPE="Receipt"[^>]*>(?:(?!</VOUCHER>).)*${first.id}<.*?</VOUCHER>`),
    )![0]
    expect(voucher).toContain(`<NARRATION>Settlement ${first.id}, UTR ${first.utr}</NARRATION>`)
    const amounts = [...voucher.matchAll(/<LEDGERNAME>([^<]*)<.*?<AMOUNT>([^<]*)</g)].map(([, name, amount]) => [
      name,
      amount,
    ])
    expect(amounts).toEqual([
      ['Bank', '-763.90'],
      ['Payment Provider', '800.00'],
      ['Provider Fees', '-20.00'],
      ['Input GST on Provider Fees', '-3.60'],
      ['Provider Adjustments', '-12.50'],
    ])
    expect(xml).toContain('<NAME>Provider Fees</NAME><PARENT>Indirect Expenses</PARENT>')
  }
  const organization = payer.email.slice(6, -5)
  expect((await exported('tally xml', 'all entries', { organization })).text).not.toContain('setl_')
  expect(await exported('tally', 'settlements', { organization })).toMatchObject({ status: 400 })
  const journal = (await exported('zoho', 'settlements')).text
    .split('\r\n')
    .filter((row) => row.includes(`,${first.id},`))
  expect(journal[2]).toBe(
    `${first.date},${first.id},"Settlement ${first.id}, UTR ${first.utr}",INR,Provider Fees,"Settlement ${first.id}, UTR ${first.utr}",20.00,`,
  )
  expect(journal).toHaveLength(5)
  const workbook = (await exported('tally', 'settlements')).text
  expect(workbook).toContain(`Receipt,${first.id},Input GST on Provider Fees,3.60,Dr,`)
})

test('postings cannot be written by the app or unbalanced', async () => {
  const { db } = env.portal.app
  const post = (by: typeof db) =>
    sql`insert into settlement_posting select max(id), 'sales', 100 from settlement_entry`.execute(by)
  await expect(post(db)).rejects.toThrow(/permission denied/)
  await expect(post(env.db)).rejects.toThrow(/differ by 100 paise/)
  await expect(
    sql`insert into settlement_entry (settlement, number, date) select id, 99, now() from settlement limit 1`.execute(
      env.db,
    ),
  ).rejects.toThrow(/differ/)
})
