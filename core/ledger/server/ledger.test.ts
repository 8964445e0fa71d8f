import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ACCOUNT_PAGE } from '@trainyard/platform/contract/words/limits.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { addEntry } from './entries.ts'

const portal = await sharedPortal()
const { own, foreign } = await createSubjects(portal)
const root = await portal.sessionOf(PEOPLE.superadmin)

const ADD = '/admin/ledger/addTransaction'

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
async function send(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: any }> {
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const add = (change: object, uid = root) =>
  send(
    'POST',
    ADD,
    { organization: own.organization, id: 'INV-1', amount: 1, date: '2026-01-31', type: 'invoice', ...change },
    uid,
  )
const organisation = async (name: string): Promise<string> => {
  await send('POST', '/admin/organization', { organization: name })
  return name
}
const idOf = async (name: string): Promise<OrganisationId> =>
  (await portal.owner.selectFrom('organisation').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const account = (name: string, before?: string) =>
  send(
    'GET',
    `/admin/ledger/accounts?${new URLSearchParams({ organization: name, ...(before && { before }) }).toString()}`,
  )

describe('ledger entry', () => {
  test.each([
    [{ organization: '' }, 'Organization is required'],
    [{ id: '' }, 'Invoice ID is required'],
    [{ id: '', type: 'payment' }, 'Payment ID is required'],
    [{ amount: 0 }, 'Amount must be greater than zero'],
    [{ amount: -1 }, 'Amount must be greater than zero'],
    [{ date: '' }, 'Date is required'],
    [{ date: '2026-02-30' }, 'date must be a date such as 2026-01-31.'],
    [{ amount: 0.001 }, 'amount must be rupees with at most two decimals.'],
    [{ amount: 1_000_000_000.01 }, 'amount must be at most ₹1,00,00,00,000.'],
    [{ amount: '5' }, 'amount must be a number.'],
    [{ type: 'refund' }, 'type must be one of invoice, payment.'],
  ])('%o is rejected: %s', async (change, message) => {
    expect(await add(change)).toMatchObject({ status: 400, body: { message } })
  })

  test.each(['INV/26-27/00001', 'inv/26-27/00001', 'ＣＲＮ／26-27／00002', 'Ab9/30-31/12345'])(
    'of the number %s is refused, because a later document could have this number',
    async (id) => {
      for (const type of ['invoice', 'payment']) {
        const { status, body } = await add({ id, type, organization: foreign.organization })
        expect([status, body.message]).toEqual([
          400,
          `${id} has the form of the portal’s document numbers. Enter another number, for example with a prefix of your own system.`,
        ])
      }
      const insert = sql`insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by)
        select id, 'invoice', ${id}, 'Invoice', 100, '2026-01-31', 'manual', 'test' from organisation limit 1`
      await expect(insert.execute(portal.app.db)).rejects.toThrow(/ledger_entry_typed_number/)
    },
  )

  test('is confirmed with a message for its kind', async () => {
    const organization = await organisation('Confirmed')
    const messageFor = async (type: string) => (await add({ organization, id: 'A-1', type })).body.message as string
    expect([await messageFor('invoice'), await messageFor('payment')]).toEqual([
      'Invoice A-1 added.',
      'Payment A-1 recorded.',
    ])
  })

  test('is added once per organisation, type and ID despite 20 concurrent requests', async () => {
    const organization = await organisation('Once')
    const entries = await Promise.all(Array.from({ length: 20 }, () => add({ organization, id: 'A-7', amount: 100 })))
    expect(entries.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(entries.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await add({ organization, id: 'A-7' })).toMatchObject({
      status: 409,
      body: { message: 'Once already has the invoice A-7.' },
    })
    expect((await add({ organization, id: 'A-7', type: 'payment', amount: 40 })).status).toBe(200)
    expect((await account(organization)).body.legal.balance).toBe(60)
  })

  test('is rejected if its ID looks like an existing ID', async () => {
    const organization = await organisation('Alike')
    await add({ organization, id: 'TXN-7 a' })
    const statusOf = async (id: string, type = 'invoice') => (await add({ organization, id, type })).status
    for (const id of ['txn-7 A', '\uFF34XN-7 a']) expect([id, await statusOf(id)]).toEqual([id, 409])
    for (const id of ['TXN-7\u200B a', 'TXN-7\u00A0a', 'TXN-7  a', '\u202Ea 7-NXT'])
      expect([id, await statusOf(id)]).toEqual([id, 400])
    expect(await statusOf('txn-7 a', 'payment')).toBe(200)
    const both = await Promise.all(['Same', 'SAME'].map((id) => statusOf(id)))
    expect(both.toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test("cannot be changed or deleted by the portal's database role; neither can the balance", async () => {
    for (const table of ['ledger_entry', 'audit', 'ledger_balance']) {
      for (const statement of [
        `update ${table} set organisation_id = null`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(sql.raw(statement).execute(portal.app.db)).rejects.toThrow(/permission denied/)
      }
    }
    await expect(
      sql`insert into ledger_balance select id, 0, 1 from organisation`.execute(portal.app.db),
    ).rejects.toThrow(/permission denied/)
  })
})

describe('account', () => {
  test('lists entries by date with a running balance', async () => {
    const organization = await organisation('Lines')
    await add({ organization, id: 'I-2', amount: 200.5, date: '2026-02-01' })
    await add({ organization, id: 'I-1', amount: 100, date: '2026-01-01' })
    await add({ organization, id: 'P-1', amount: 0.29, date: '2026-01-15', type: 'payment' })
    await add({ organization, id: 'P-2', amount: 300, date: '2026-01-15', type: 'payment' })
    expect((await account(organization)).body).toEqual({
      legal: { name: 'Lines', gst: null, balance: 0.21, limit: 0 },
      opening: 0,
      transactions: [
        { date: '2026-01-01', particular: 'Invoice', kind: 'invoice', invoice: 100, payment: null, id: 'I-1' },
        {
          date: '2026-01-15',
          particular: 'Payment received',
          kind: 'payment',
          invoice: null,
          payment: 0.29,
          id: 'P-1',
        },
        { date: '2026-01-15', particular: 'Payment received', kind: 'payment', invoice: null, payment: 300, id: 'P-2' },
        { date: '2026-02-01', particular: 'Invoice', kind: 'invoice', invoice: 200.5, payment: null, id: 'I-2' },
      ],
      earlier: null,
    })
  })

  test('returns consecutive pages whose opening balances match the earlier pages', async () => {
    const organization = await organisation('Pages')
    const id = await idOf(organization)
    await portal.app.db.transaction().execute(async (tx) => {
      for (let i = 1; i <= ACCOUNT_PAGE * 2 + 1; i += 1) {
        const date = new Date(Date.UTC(2026, 0, 1 + (i % 40))).toISOString().slice(0, 10)
        const entry = {
          reference: `R-${i}`,
          particular: 'x',
          amount: paise(i),
          date,
          source: 'manual',
          by: 'x',
        } as const
        await addEntry(tx, { ...entry, organisation: id, kind: i % 3 === 0 ? 'payment' : 'invoice' })
      }
    })
    const pages = []
    for (let before: string | undefined; pages.length < 9;) {
      const { body } = await account(organization, before)
      pages.unshift(body)
      if (body.earlier === null) break
      before = body.earlier
    }
    expect(pages.map(({ transactions }) => transactions.length)).toEqual([1, ACCOUNT_PAGE, ACCOUNT_PAGE])
    let balance = 0
    for (const { opening, transactions } of pages) {
      expect(Math.round(opening * 100)).toBe(balance)
      for (const { invoice, payment } of transactions) balance += Math.round(((invoice ?? 0) - (payment ?? 0)) * 100)
    }
    expect(Math.round(pages[0].legal.balance * 100)).toBe(balance)
    const dates = pages.flatMap(({ transactions }) => transactions.map(({ date }: { date: string }) => date))
    expect(dates).toEqual(dates.toSorted((a, b) => (a < b ? -1 : 1)))
    expect((await account(organization, 'x')).status).toBe(400)
    expect((await account(organization, '2026-02-31.1')).status).toBe(400)
  })

  test('is visible only to admins of its organisation; for other admins it does not exist', async () => {
    const admin = await portal.sessionOf(PEOPLE.admin)
    await add({ id: 'OWN-1', amount: 12 })
    const mine = await send('GET', '/admin/ledger/accounts', undefined, admin)
    expect(mine).toMatchObject({ status: 200, body: { legal: { name: own.organization } } })
    const at = (name: string) => `/admin/ledger/accounts?organization=${encodeURIComponent(name)}`
    const [other, unknown] = await Promise.all(
      [foreign.organization, 'unknown'].map((name) => send('GET', at(name), undefined, admin)),
    )
    expect([other!.status, other!.body.message]).toEqual([unknown!.status, unknown!.body.message])
    expect(other!.status).toBe(404)
    expect(await send('GET', '/admin/ledger/accounts')).toMatchObject({ status: 400 })
  })
})

test('lists the largest debt first with totals equal to the sums of the lines', async () => {
  await add({ organization: await organisation('Debtor'), id: 'D', amount: 90_000.75 })
  await add({ organization: await organisation('Prepaid'), id: 'P', amount: 50, type: 'payment' })
  const { body } = await send('GET', '/admin/ledger')
  const balances: number[] = body.ledger.map(({ balance }: { balance: number }) => balance)
  expect(balances).toEqual(balances.toSorted((a, b) => b - a))
  expect(body.ledger[0]).toEqual({
    name: 'Debtor',
    organization: 'Debtor',
    invoice: 90_000.75,
    payment: 0,
    balance: 90_000.75,
  })
  expect(body.ledger.at(-1)).toMatchObject({ name: 'Prepaid', balance: -50 })
  const sum = (of: 'invoice' | 'payment' | 'balance') =>
    body.ledger.reduce((total: number, line: Record<string, number>) => total + Math.round(line[of]! * 100), 0) / 100
  expect([body.totalInvoice, body.totalPayment, body.totalBalance]).toEqual([
    sum('invoice'),
    sum('payment'),
    sum('balance'),
  ])
})

test('allows the deletion of an organisation only with a balance of zero', async () => {
  const organization = await organisation('Leaving')
  const leave = () => send('DELETE', '/admin/organization', { organization })
  await add({ organization, id: 'L-1', amount: 1_23_456.7 })
  expect(await leave()).toMatchObject({
    status: 409,
    body: { message: 'Leaving still owes ₹1,23,456.70. Settle its ledger first.' },
  })
  await add({ organization, id: 'L-1', amount: 1_23_457, type: 'payment' })
  expect((await leave()).body.message).toBe('Leaving has a credit of ₹0.30. Refund it first.')
  await add({ organization, id: 'L-2', amount: 0.3 })
  expect((await leave()).status).toBe(200)
  expect((await add({ organization, id: 'L-3' })).status).toBe(404)

  const late = { reference: 'pay_late', particular: 'x', amount: paise(500), date: '2026-02-01', by: 'x' } as const
  await portal.app.db
    .transaction()
    .execute(async (tx) =>
      addEntry(tx, { ...late, organisation: await idOf(organization), kind: 'payment', source: 'provider' }),
    )
  const { ledger } = (await send('GET', '/admin/ledger')).body
  expect(ledger).toContainEqual(expect.objectContaining({ name: 'Leaving (deleted)', organization, balance: -5 }))
})

test('satisfies all database invariants', async () => {
  expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
})
