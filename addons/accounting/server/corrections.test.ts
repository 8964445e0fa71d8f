import { beforeAll, describe, expect, test } from 'vitest'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { PEOPLE, createSubjects } from '@trainyard/platform/test/world.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { openInvoices } from './open.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const superadminSession = await portal.sessionOf(PEOPLE.superadmin)

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid: superadminSession, body })
  const isJson = reply.headers.get('content-type')!.includes('json')
  return { status: reply.status, body: isJson ? await reply.json() : await reply.text() }
}
const DATE = '2026-10-31'
const add = (organization: string, type: string, id: string, amount: number, more: object = {}) =>
  send('POST', '/admin/ledger/addTransaction', { organization, type, id, amount, date: DATE, ...more })
const reverse = (organization: string, kind: string, id: string) =>
  send('POST', '/admin/ledger/reverse', { organization, kind, id, reason: 'Typed wrong', date: '2026-11-01' })
const openAmounts = async (organization: string): Promise<(string | number)[][]> => {
  const query = new URLSearchParams({ organization }).toString()
  const { invoices } = (await send('GET', `/admin/ledger/open?${query}`)).body
  return invoices.map(({ invoice, openPaise }: Body) => [invoice, openPaise / 100])
}
const balance = async (organization: string): Promise<number> =>
  (await send('GET', `/admin/ledger/accounts?${new URLSearchParams({ organization }).toString()}`)).body.legal.balance
async function createOrganisation(name: string): Promise<string> {
  await send('POST', '/admin/organization', { organization: name })
  return name
}

beforeAll(() => setPortalClock(portal.owner, new Date('2026-11-05T06:00:00Z')))

describe('corrections', () => {
  test('reverse a payment that was entered as 50,000 instead of 5,000, without posting a sale', async () => {
    const name = await createOrganisation('Wrong Zero')
    await add(name, 'invoice', 'B-1', 5_000)
    await add(name, 'payment', 'P-1', 50_000)
    expect(await balance(name)).toBe(-45_000)
    expect((await reverse(name, 'payment', 'P-1')).body.message).toBe('The payment P-1 is reversed.')
    expect([await balance(name), await openAmounts(name)]).toEqual([5_000, [['B-1', 5_000]]])
    expect(await reverse(name, 'payment', 'P-1')).toMatchObject({
      status: 409,
      body: { message: 'The payment P-1 of Wrong Zero is already reversed.' },
    })
    await add(name, 'payment', 'P-2', 5_000)
    expect([await balance(name), await openAmounts(name)]).toEqual([0, []])
    const period = { from: DATE, to: '2026-11-30', organization: name, books: 'tally' }
    const lines = async (what: string) =>
      ((await send('POST', '/admin/ledger/export', { what, ...period })).body as string).trim().split('\r\n').slice(1)
    expect(await lines('corrections')).toEqual([
      '01-11-2026,Journal,Reversal of P-1,Wrong Zero,50000.00,Dr,Reversal of the payment P-1: Typed wrong',
      '01-11-2026,Journal,Reversal of P-1,Receipt Reversals,50000.00,Cr,Reversal of the payment P-1: Typed wrong',
    ])
    expect((await lines('invoices')).some((line) => line.includes('Reversal'))).toBe(false)
    const query = new URLSearchParams({ organization: name, period: '26-27' }).toString()
    const statement = (await send('GET', `/admin/ledger/statement?${query}`)).body
    expect(statement).toMatchObject({ closingPaise: 0, sums: { payments: 55_000_00, reversals: 50_000_00 } })
  })

  test('write off parts of two invoices even if the number of one contains the number of the other', async () => {
    const name = await createOrganisation('Look-alike Parts')
    await add(name, 'invoice', 'E-1', 100)
    await add(name, 'invoice', 'E-1 (2)', 100)
    const writeOff = (invoice: string) =>
      send('POST', '/admin/ledger/writeOff', { organization: name, invoice, amount: 50, reason: 'Lost', date: DATE })
    for (const invoice of ['E-1 (2)', 'E-1', 'E-1']) expect((await writeOff(invoice)).status).toBe(200)
    expect(await balance(name)).toBe(50)
  })

  test('write off at most the open amount of an invoice', async () => {
    const name = await createOrganisation('Bad Debt')
    await add(name, 'invoice', 'D-1', 1_000)
    await add(name, 'payment', 'Q-1', 400)
    const writeOff = (amount: number) =>
      send('POST', '/admin/ledger/writeOff', {
        organization: name,
        invoice: 'D-1',
        amount,
        reason: 'Closed',
        date: DATE,
      })
    expect((await writeOff(600.01)).body.message).toBe('Only ₹600.00 of D-1 is open.')
    expect((await writeOff(100)).status).toBe(200)
    expect((await writeOff(500)).body.message).toBe('₹500.00 of D-1 is written off.')
    expect([await balance(name), await openAmounts(name), (await writeOff(1)).status]).toEqual([0, [], 409])
    const { ledger } = (await send('GET', '/admin/ledger')).body
    expect(ledger.find((line: Body) => line.name === name)).toMatchObject({ invoice: 400, payment: 400, balance: 0 })
  })
})

describe('a payment', () => {
  test('that equals the open amount of exactly one invoice settles that invoice, even if an older invoice is open', async () => {
    const name = await createOrganisation('Exact')
    await add(name, 'invoice', 'E-1', 1_000)
    await add(name, 'invoice', 'E-2', 2_500)
    await add(name, 'invoice', 'E-3', 700)
    await add(name, 'payment', 'R-1', 2_500)
    expect(await openAmounts(name)).toEqual([
      ['E-1', 1_000],
      ['E-3', 700],
    ])
    await add(name, 'payment', 'R-2', 700, { settles: null })
    expect(await openAmounts(name)).toEqual([
      ['E-1', 300],
      ['E-3', 700],
    ])
    await add(name, 'payment', 'R-3', 800, { settles: 'E-3' })
    expect(await openAmounts(name)).toEqual([['E-1', 200]])
    expect((await add(name, 'payment', 'R-4', 1, { settles: 'B-1' })).status).toBe(404)
    expect((await add(name, 'invoice', 'E-4', 1, { settles: 'E-1' })).status).toBe(400)
  })

  test('with tax deducted at source settles its invoice together with the certificate', async () => {
    const name = await createOrganisation('Deducted')
    await add(name, 'invoice', 'F-1', 500)
    await add(name, 'invoice', 'F-2', 1_180)
    await add(name, 'payment', 'S-1', 1_080, { settles: 'F-2' })
    const certificate = { certificate: 'ABCDEFG', section: '393', financialYear: '26-27', quarter: 3, settles: 'F-2' }
    await send('POST', '/admin/ledger/tds', { organization: name, ...certificate, amount: 100, date: DATE })
    expect(await openAmounts(name)).toEqual([['F-1', 500]])
  })
})

test('ages open amounts by the days since they were due', async () => {
  const name = await createOrganisation('Aged')
  const days = ['2026-11-01', '2026-10-15', '2026-09-10', '2026-08-10', '2026-07-01']
  for (const [index, date] of days.entries()) await add(name, 'invoice', `G-${index}`, 10 ** index, { date })
  const rows = (await send('GET', '/admin/ledger/ageing')).body.rows as Body[]
  expect(rows.find(({ organization }) => organization === name)).toEqual({
    organization: name,
    notDuePaise: 100,
    to30Paise: 1_000,
    to60Paise: 10_000,
    to90Paise: 100_000,
    over90Paise: 1_000_000,
    totalPaise: 1_111_100,
  })
})

test('open amounts add up to the balance after random entries', async () => {
  let seed = 40
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const name = await createOrganisation('Random')
  for (let step = 0; step < 60; step++) {
    const earlierId = `H-${random(step + 1)}`
    const amount = 1 + random(1_000)
    const kind = random(6)
    if (kind < 2) await add(name, 'invoice', `H-${step}`, amount)
    else if (kind === 2) await add(name, 'payment', `H-${step}`, amount)
    else if (kind === 3) await add(name, 'payment', `H-${step}`, amount, { settles: earlierId })
    else await reverse(name, random(2) === 0 ? 'payment' : 'invoice', earlierId)
    const total = (await openAmounts(name)).reduce((sum, [, each]) => sum + Math.round((each as number) * 100), 0)
    expect(total).toBe(Math.max(0, Math.round((await balance(name)) * 100)))
  }
  const broken = await brokenInvariants(portal.owner, { quiet: false })
  expect(broken.filter((invariant) => invariant.name.startsWith('L'))).toEqual([])
  const { id } = await portal.owner
    .selectFrom('organisation')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  expect((await openInvoices(portal.app.db, '2026-11-05', { organisation: id })).length).toBeGreaterThan(0)
})
