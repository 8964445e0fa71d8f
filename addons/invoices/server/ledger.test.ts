import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addCustomer, ADDRESS, addRuns, SETTINGS, setClock } from '../test/invoicing.ts'
import { addInvoice } from '../test/tax-documents.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { EntryKind } from '@trainyard/ledger/contract/entry.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { settledBy } from '@trainyard/ledger/server/settled-by.ts'
import { unchargedLinesOf } from './charging.ts'

/** Entries and postings of the ledger that follow from documents. */

const portal = await sharedPortal()
const { own } = await createSubjects(portal)
const root = await portal.sessionOf(PEOPLE.superadmin)

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid: root, body })
  return { status: reply.status, body: await reply.json() }
}
const bodyOf = async (...call: Parameters<typeof send>): Promise<Body> => (await send(...call)).body
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const add = (organization: string, type: string, id: string, amount: number, more: object = {}) =>
  send('POST', '/admin/ledger/addTransaction', { organization, type, id, amount, date: '2026-10-31', ...more })
const reverse = (organization: string, kind: string, id: string) =>
  send('POST', '/admin/ledger/reverse', { organization, kind, id, reason: 'Typed wrong', date: '2026-11-01' })
const balance = async (organization: string): Promise<number> =>
  (await bodyOf('GET', at('/admin/ledger/accounts', { organization }))).legal.balance
const open = async (organization: string): Promise<Body[]> =>
  (await bodyOf('GET', at('/admin/ledger/open', { organization }))).invoices

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

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  await send('PATCH', '/admin/supplier', SETTINGS)
})

test('reverses an invoice that a user entered, whose usage can then be invoiced again', async () => {
  const customer = await addCustomer(portal, 'Covered Twice', 1)
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  await add(customer.name, 'invoice', 'C-1', 125, { covers: '2026-10' })
  const lines = () => unchargedLinesOf(portal.app.db, customer.id, '2026-10-01')
  expect(await lines()).toHaveLength(0)
  expect((await reverse(customer.name, 'invoice', 'C-1')).status).toBe(200)
  expect([await lines(), await balance(customer.name)]).toMatchObject([{ length: 1 }, 0])
  const summary = (await send('GET', '/admin/ledger')).body.ledger as Body[]
  expect(summary.find(({ name }) => name === customer.name)).toMatchObject({ invoice: 0, payment: 0, balance: 0 })
})

test('refuses to reverse entries that the portal issued, and entries that do not exist', async () => {
  const { number } = await portal.app.db
    .transaction()
    .execute(async (tx) => addInvoice(tx, await idOf(own.organization), 'own'))
  expect((await reverse(own.organization, 'invoice', number)).body.message).toBe(
    `${number} was issued by the portal. Issue a credit note instead.`,
  )
  expect((await reverse(own.organization, 'payment', 'absent')).status).toBe(404)
})

test('the postings of issued documents have the taxes by kind', async () => {
  const issue = async (name: string, more: object) => {
    const customer = await addCustomer(portal, name, 1, { ...ADDRESS, ...more })
    await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
    const draft = await bodyOf('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))
    const request = { organization: name, month: '2026-10', digest: draft.digest }
    return (await bodyOf('POST', '/admin/invoices', request)).number as string
  }
  const number = await issue('Posted Local', {})
  const local = { Receivable: 148, Sales: -125, 'Output CGST': -11.25, 'Output SGST': -11.25, 'Round Off': -0.5 }
  expect(await postedBy('Posted Local')).toEqual(local)
  await send('POST', '/admin/invoice/credit', { number, reason: 'All', items: [{ item: 1, amount: 125 }] })
  const reversed = Object.entries(local).map(([account, rupees]) => [account, -rupees])
  expect(await postedBy('Posted Local')).toEqual(Object.fromEntries(reversed))
  await issue('Posted Elsewhere', { state: '33' })
  expect(await postedBy('Posted Elsewhere')).toEqual({
    Receivable: 148,
    Sales: -125,
    'Output IGST': -22.5,
    'Round Off': -0.5,
  })
})

test('neither proposes a withheld invoice for a payment nor lets its customer choose the invoice', async () => {
  await send('PATCH', '/admin/supplier', { ...SETTINGS, turnover: '5 to 10' })
  const customer = await addCustomer(portal, 'Withheld', 1, { ...ADDRESS, gst: '29AABCR1718E1ZL' })
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  const draft = at('/admin/invoices/draft', { organization: customer.name, month: '2026-10' })
  const { digest } = (await send('GET', draft)).body
  const issue = { organization: customer.name, month: '2026-10', digest }
  const { number } = (await send('POST', '/admin/invoices', issue)).body
  const settled = (by: 'customer' | 'supplier', chosen: string | null | undefined) =>
    portal.app.db.transaction().execute((tx) => settledBy(tx, customer, chosen, 14_800, by))
  expect(await settled('customer', undefined)).toBeNull()
  expect(await settled('supplier', undefined)).toBeNull()
  await expect(settled('customer', number)).rejects.toMatchObject({ code: 'notFound' })
  expect(await settled('supplier', number)).toBe(number)
  expect(await open(customer.name)).toMatchObject([{ invoice: number, openPaise: 14_800, withheld: true }])
})

test('posts entries of one customer that are added concurrently by several connections, and by the migration, alike', async () => {
  await send('POST', '/admin/organization', { organization: 'Concurrent Postings' })
  const id = await idOf('Concurrent Postings')
  const kinds: readonly EntryKind[] = ['invoice', 'payment', 'payment', 'invoice']
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      portal.app.db.transaction().execute((tx) =>
        addEntry(tx, {
          organisation: id,
          kind: kinds[index % 4]!,
          reference: `C ${index}`,
          particular: 'Concurrent',
          amount: paise(100 + ((index * 7_919) % 1_000)),
          date: '2026-10-31',
          source: 'manual',
          by: 'test',
        }),
      ),
    ),
  )
  expect((await brokenInvariants(portal.owner, { quiet: false })).filter((each) => each.name.startsWith('L'))).toEqual(
    [],
  )
  const sums = sql<{ organisation_id: string; account: string; paise: number }>`
    select organisation_id, account, sum(paise)::bigint as paise from posting group by 1, 2 having sum(paise) <> 0 order by 1, 2`
  const before = (await sums.execute(portal.owner)).rows
  const again = await portal.owner.startTransaction().execute()
  await sql`delete from posting`.execute(again)
  await sql`select post_entries(array(select id from ledger_entry))`.execute(again)
  await sql`select post_documents(array(select id from tax_document where entry_kind is not null))`.execute(again)
  await sql`set constraints all immediate`.execute(again)
  const after = (await sums.execute(again)).rows
  await again.rollback().execute()
  expect(after).toEqual(before)
})
