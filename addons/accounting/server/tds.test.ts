import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'

const portal = await sharedPortal()
const { own } = await createSubjects(portal)
const root = await portal.sessionOf(PEOPLE.superadmin)

async function send(method: string, path: string, body?: unknown) {
  const reply = await portal.request(method, path, { uid: root, body })
  return { status: reply.status, body: (await reply.json()) as { message: string } }
}
const record = (change: object = {}) =>
  send('POST', '/admin/ledger/tds', {
    organization: own.organization,
    certificate: 'AAAAAAB',
    section: '194J',
    financialYear: '26-27',
    quarter: 1,
    amount: 100.5,
    date: '2026-07-31',
    ...change,
  })

test('reduces the balance by tax deducted at source, once per certificate', async () => {
  const account = async () =>
    (await send('GET', `/admin/ledger/accounts?organization=${encodeURIComponent(own.organization)}`))
      .body as unknown as {
      legal: { balance: number }
      transactions: { id: string }[]
    }
  const before = (await account()).legal.balance
  const twice = await Promise.all([record(), record()])
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await record()).toMatchObject({
    status: 409,
    body: { message: `${own.organization} already has the TDS certificate AAAAAAB.` },
  })
  const after = await account()
  expect(after.legal.balance).toBeCloseTo(before - 100.5, 5)
  expect(after.transactions.find(({ id }) => id === 'AAAAAAB')).toEqual({
    id: 'AAAAAAB',
    date: '2026-07-31',
    kind: 'tds',
    particular: 'TDS under section 194J, Q1 of 2026-27',
    invoice: null,
    payment: 100.5,
  })
  expect(await brokenInvariants(portal.app.db, { quiet: false })).toEqual([])
})

test('rejects a certificate whose number looks like a recorded number', async () => {
  expect((await record({ certificate: 'CERT-9' })).status).toBe(200)
  const statusOf = async (certificate: string) => (await record({ certificate })).status
  expect(await Promise.all(['cert-9', '\uFF23ERT-9'].map(statusOf))).toEqual([409, 409])
  const others = ['CERT-9\u200B', '\u202E9-TREC']
  expect(await Promise.all(others.map(statusOf))).toEqual([400, 400])
})

test.each([
  [{ organization: '' }, 'Organization is required'],
  [{ certificate: '' }, 'certificate must not be empty.'],
  [{ section: '194J;' }, 'section must be a section such as 393(1).'],
  [{ financialYear: '26-28' }, 'financialYear must be a financial year such as 26-27.'],
  [{ quarter: 5 }, 'quarter must be 1 to 4.'],
  [{ amount: 0 }, 'Amount must be greater than zero'],
  [{ date: '' }, 'Date is required'],
])('rejects %o: %s', async (change, message) => {
  expect(await record(change)).toMatchObject({ status: 400, body: { message } })
})

test('requires section, year and quarter for TDS entries in the database, and refuses them otherwise', async () => {
  const insert = (kind: string, section: string | null) =>
    sql`insert into ledger_entry (organisation_id, kind, reference, particular, amount_paise, date, source, created_by,
        tds_section)
      select id, ${kind}, ${`X-${kind}`}, 'x', 1, '2026-01-31', 'manual', 'test', ${section} from organisation limit 1`.execute(
      portal.app.db,
    )
  await expect(insert('tds', '194J')).rejects.toThrow(/ledger_entry_tds/)
  await expect(insert('payment', '194J')).rejects.toThrow(/ledger_entry_tds/)
})
