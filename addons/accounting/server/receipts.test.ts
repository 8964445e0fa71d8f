import { beforeAll, expect, test } from 'vitest'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const root = await portal.sessionOf(PEOPLE.superadmin)

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const DATE = '2026-10-31'
const add = (organization: string, type: string, id: string, amount: number, more: object = {}) =>
  send('POST', '/admin/ledger/addTransaction', { organization, type, id, amount, date: DATE, ...more })
const open = async (organization: string): Promise<Body[]> =>
  (await send('GET', at('/admin/ledger/open', { organization }))).body.invoices
const amounts = async (organization: string) =>
  (await open(organization)).map(({ invoice, openPaise }) => [invoice, openPaise / 100])
const receipts = async (organization: string): Promise<Body[]> =>
  (await send('GET', at('/admin/ledger/tds/receipts', { organization }))).body.receipts
const certify = (organization: string, certificate: string, ids: string[]) =>
  send('POST', '/admin/ledger/tds/certificate', { organization, certificate, receipts: ids })
async function organisation(name: string): Promise<string> {
  await send('POST', '/admin/organization', { organization: name })
  return name
}

beforeAll(() => setPortalClock(portal.owner, new Date('2026-11-05T06:00:00Z')))

test('records tax that the payer deducted together with the payment, and its certificate later', async () => {
  const name = await organisation('Deducts At Receipt')
  await add(name, 'invoice', 'A-1', 500)
  await add(name, 'invoice', 'A-2', 1_180)
  const tds = { amount: 20, section: '393(1)' }
  expect((await add(name, 'payment', 'P-1', 1_160, { tds })).body.message).toBe(
    'Payment P-1 and TDS of ₹20.00 recorded.',
  )
  expect(await amounts(name)).toEqual([['A-1', 500]])
  const account = (await send('GET', at('/admin/ledger/accounts', { organization: name }))).body
  expect(account.transactions.slice(2)).toMatchObject([
    { id: 'P-1', kind: 'payment', payment: 1_160 },
    { id: 'TDS of P-1', kind: 'tds', payment: 20, particular: 'TDS under section 393(1), Q3 of 2026-27' },
  ])
  const receipt = { id: 'TDS of P-1', payment: 'P-1', date: DATE, section: '393(1)', amountPaise: 2_000 }
  expect(await receipts(name)).toEqual([{ ...receipt, certificate: null }])

  expect((await certify(name, 'CERT-1', ['TDS of P-1', 'TDS of P-1'])).status).toBe(400)
  expect((await certify(name, 'CERT-1', ['TDS of P-9'])).status).toBe(404)
  expect((await certify(name, 'CERT-1', ['TDS of P-1'])).body.message).toBe('TDS certificate CERT-1 recorded.')
  expect(await receipts(name)).toEqual([{ ...receipt, certificate: 'CERT-1' }])
  const again = { certificate: 'cert-1', section: '393(1)', financialYear: '26-27', quarter: 3, amount: 1, date: DATE }
  expect(await send('POST', '/admin/ledger/tds', { organization: name, ...again })).toMatchObject({
    status: 409,
    body: { message: 'Deducts At Receipt already has the TDS certificate cert-1.' },
  })
  await send('POST', '/admin/ledger/tds', { organization: name, ...again, certificate: 'CERT-2' })
  expect((await certify(name, 'cert-2', ['TDS of P-1'])).status).toBe(409)
  expect(account.legal.balance).toBe(500)
})

test('reverses the tax that was deducted from a payment together with the payment', async () => {
  const name = await organisation('Reversed Receipt')
  await add(name, 'invoice', 'A-1', 1_180)
  await add(name, 'payment', 'P-1', 1_160, { tds: { amount: 20, section: '393(1)' } })
  const reversal = { organization: name, kind: 'payment', id: 'P-1', reason: 'Bounced', date: DATE }
  expect((await send('POST', '/admin/ledger/reverse', reversal)).status).toBe(200)
  expect([await amounts(name), await receipts(name)]).toEqual([[['A-1', 1_180]], []])
  const invariants = await brokenInvariants(portal.owner, { quiet: false })
  expect(invariants.filter((invariant) => invariant.name.startsWith('L'))).toEqual([])
})

test('settles the only invoice open with the amount of a TDS certificate', async () => {
  const name = await organisation('Exact Certificate')
  await add(name, 'invoice', 'A-1', 500)
  await add(name, 'invoice', 'A-2', 20)
  const tds = { certificate: 'C-1', section: '393(1)', financialYear: '26-27', quarter: 3, amount: 20, date: DATE }
  await send('POST', '/admin/ledger/tds', { organization: name, ...tds })
  expect(await amounts(name)).toEqual([['A-1', 500]])
})

test.each([
  [{ tds: { amount: 0, section: '393(1)' } }, 'Amount must be greater than zero'],
  [{ tds: { amount: 1, section: ';' } }, 'tds.section must be a section such as 393(1).'],
  [{ type: 'invoice', tds: { amount: 1, section: '393(1)' } }, 'The request tds applies to payments only.'],
  [{ id: 'x'.repeat(95), tds: { amount: 1, section: '393(1)' } }, 'With TDS, id must be at most 93 characters long.'],
])('rejects %o: %s', async (change, message) => {
  const name = await organisation('Deducts Wrongly')
  const entry = { organization: name, type: 'payment', id: 'P', amount: 1, date: DATE }
  const reply = await send('POST', '/admin/ledger/addTransaction', { ...entry, ...change })
  expect(reply).toMatchObject({ status: 400, body: { message } })
})
