import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const { db } = portal.app

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown): Promise<Body> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  return (await portal.request(method, path, { uid, body })).json()
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const add = (organization: string, type: string, id: string, amount: number, more: object = {}) =>
  send('POST', '/admin/ledger/addTransaction', { organization, type, id, amount, date: '2026-10-31', ...more })
async function organisation(name: string): Promise<string> {
  await send('POST', '/admin/organization', { organization: name })
  return name
}
const idOf = async (name: string): Promise<OrganisationId> =>
  (await portal.owner.selectFrom('organisation').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

/** Returns the postings of the newest entry of an organisation in rupees; debits are positive. */
async function postedBy(name: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; paise: number }>`
    select a.name as account, p.paise from posting p join ledger_account a on a.code = p.account
    where p.entry_id = (select max(id) from ledger_entry where organisation_id = ${await idOf(name)})
    order by a.place`.execute(portal.owner)
  return Object.fromEntries(rows.map(({ account, paise: amount }) => [account, amount / 100]))
}

beforeAll(() => setPortalClock(portal.owner, new Date('2026-11-05T06:00:00Z')))

describe('postings', () => {
  test('follow each kind of entry, and split debts from advances', async () => {
    const name = await organisation('Posted Kinds')
    await add(name, 'invoice', 'A', 1_000)
    expect(await postedBy(name)).toEqual({ Receivable: 1_000, Sales: -1_000 })
    await add(name, 'payment', 'P', 1_500)
    expect(await postedBy(name)).toEqual({ Receivable: -1_000, 'Advances of Customers': -500, Bank: 1_500 })
    await add(name, 'invoice', 'B', 800)
    expect(await postedBy(name)).toEqual({ Receivable: 300, 'Advances of Customers': 500, Sales: -800 })
    await add(name, 'payment', 'Q', 80, { tds: { amount: 20, section: '393(1)' } })
    expect(await postedBy(name)).toEqual({ Receivable: -20, 'TDS Receivable': 20 })
    const correct = { organization: name, reason: 'Wrong', date: '2026-10-31' }
    await send('POST', '/admin/ledger/writeOff', { ...correct, invoice: 'B', amount: 50 })
    expect(await postedBy(name)).toEqual({ Receivable: -50, 'Bad Debts Written Off': 50 })
    await send('POST', '/admin/ledger/reverse', { ...correct, kind: 'payment', id: 'P' })
    expect(await postedBy(name)).toEqual({ Receivable: 1_500, 'Receipt Reversals': -1_500 })
    await send('POST', '/admin/ledger/reverse', { ...correct, kind: 'invoice', id: 'A' })
    expect(await postedBy(name)).toEqual({ Receivable: -1_000, 'Sales Reversals': 1_000 })
  })

  test('cannot be unbalanced, missing or written by the app', async () => {
    const name = await organisation('Unbalanced')
    await add(name, 'invoice', 'A', 1)
    const id = await idOf(name)
    const post = (owner: typeof db, account: string, amount: number) =>
      sql`insert into posting (entry_id, account, organisation_id, paise)
        select max(id), ${account}, organisation_id, ${amount} from ledger_entry where organisation_id = ${id}
        group by organisation_id`.execute(owner)
    await expect(post(portal.owner, 'bank', 1)).rejects.toThrow(/Debits and credits of the entry \d+ differ by 1 paise/)
    await expect(
      sql`update posting set paise = paise + 1 where organisation_id = ${id} and account = 'sales'`.execute(
        portal.owner,
      ),
    ).rejects.toThrow(/differ/)
    await expect(sql`delete from posting where organisation_id = ${id}`.execute(portal.owner)).rejects.toThrow(/differ/)
    await expect(post(db, 'bank', 1)).rejects.toThrow(/permission denied/)
    await expect(sql`select post_entries(array[1::bigint])`.execute(db)).rejects.toThrow(/posting_pkey|differ by/)
    const withoutDocument = db.transaction().execute((tx) =>
      addEntry(tx, {
        organisation: id,
        kind: 'invoice',
        reference: 'INV/26-27/99999',
        particular: 'No document',
        amount: paise(100),
        date: '2026-10-31',
        source: 'issued',
        by: 'test',
      }),
    )
    await expect(withoutDocument).rejects.toThrow(/differ by 100 paise/)
  })
})

describe('the trial balance', () => {
  const balance = async (on: string): Promise<Body> => send('GET', at('/admin/ledger/trial-balance', { on }))
  const sumOf = (before: Body, after: Body) =>
    Object.fromEntries(
      (after.accounts as Body[]).flatMap(({ account, debitPaise, creditPaise }, index) => {
        const was = before.accounts[index]
        const change = debitPaise - creditPaise - was.debitPaise + was.creditPaise
        return change === 0 ? [] : [[account, change / 100]]
      }),
    )

  test('is zero on every day, with the accounts of that day', async () => {
    const name = await organisation('Dated Balance')
    const days = ['2026-06-01', '2026-06-15', '2026-06-30']
    const before = await Promise.all(days.map(balance))
    await add(name, 'payment', 'P', 300, { date: days[1] })
    await add(name, 'invoice', 'A', 100, { date: days[0] })
    await add(name, 'invoice', 'B', 400, { date: days[2] })
    const after = await Promise.all(days.map(balance))
    expect(after.map((each, index) => sumOf(before[index], each))).toEqual([
      { Receivable: 100, Sales: -100 },
      { 'Advances of Customers': -200, Bank: 300, Sales: -100 },
      { Receivable: 200, Bank: 300, Sales: -500 },
    ])
    for (const { debitPaise, creditPaise } of after) expect(debitPaise).toBe(creditPaise)
  })
})
