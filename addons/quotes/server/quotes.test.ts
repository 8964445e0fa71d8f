import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  addCustomer,
  addSuperadmin,
  ADDRESS,
  type ReplyBody,
  senderOf,
  SETTINGS,
  setClock,
} from '@trainyard/invoices/test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const { portal } = env
let root: string

const ask = senderOf(portal, () => root)
const LINES = [
  { description: 'Setup of a classroom', amount: 10_000, discount: 500, sac: '998313' },
  { description: 'Training of two instructors', amount: 2_000.5 },
]
const post = (what: string, body: object, uid = root) => ask('POST', `/admin/quotes${what}`, body, uid)
const write = (organization: string, validUntil = '2026-11-30') => post('', { organization, lines: LINES, validUntil })
const quotesOf = async (organization: string): Promise<ReplyBody[]> =>
  (await ask('GET', `/admin/quotes?organization=${encodeURIComponent(organization)}`)).body.quotes
const openOf = async (organization: string): Promise<[string, number][]> =>
  (await ask('GET', `/admin/ledger/open?organization=${encodeURIComponent(organization)}`)).body.invoices.map(
    (each: ReplyBody) => [each.invoice, each.openPaise],
  )
const digestOf = async (organization: string): Promise<string> =>
  (await ask('POST', '/admin/invoices/one-off/draft', { organization, lines: LINES })).body.digest
const serials = async () => (await sql`select * from document_series`.execute(portal.owner)).rows

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
  await ask('PATCH', '/admin/supplier', SETTINGS)
})

test('a quote becomes a proforma invoice and one tax invoice with the same lines, which its payments settle', async () => {
  const { name, admin } = await addCustomer(portal, 'Quoted', 0, ADDRESS)
  const uid = await portal.sessionOf(admin)
  const { body: made } = await write(name)
  expect(made).toMatchObject({ number: 'Q-26-27-0001', message: 'Quote Q-26-27-0001 for Quoted sent.' })
  expect(await post('/proforma', { number: made.number })).toMatchObject({ status: 409 })
  expect(await post('/decide', { number: made.number, decision: 'accepted' }, uid)).toMatchObject({ status: 200 })
  expect(await post('/decide', { number: made.number, decision: 'declined' }, uid)).toMatchObject({ status: 409 })
  const both = await Promise.all([1, 2].map(() => post('/proforma', { number: made.number })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const [quoted] = await quotesOf(name)
  expect(quoted).toMatchObject({
    state: 'proforma',
    decidedBy: admin,
    totalPaise: 1_357_100,
    proforma: { number: 'PF-26-27-0001', totalPaise: 1_357_100 },
  })
  expect(await serials()).toEqual([])
  const { body: pdf } = await post('/pdf', { number: 'PF-26-27-0001' }, uid)
  const text = await pdfText(pdf)
  for (const words of ['Proforma Invoice', 'This is not a tax invoice', 'Q-26-27-0001']) expect(text).toContain(words)
  expect(text).not.toContain('Original for recipient')
  expect(pdf.includes('inv-01.json')).toBe(false)

  const entry = { organization: name, type: 'invoice', id: 'OLD-1', amount: 500, date: '2026-11-01' }
  expect((await ask('POST', '/admin/ledger/addTransaction', entry)).status).toBe(200)
  const payment = { number: made.number, id: 'UTR-1', amount: 13_571, date: '2026-11-05' }
  expect(await post('/payments', payment)).toMatchObject({ status: 200 })
  expect(await post('/payments', { number: made.number, id: 'UTR-1' })).toMatchObject({ status: 409 })
  expect(await post('/withdraw', { number: made.number })).toMatchObject({ status: 409 })
  // The payment does not settle the older invoice.
  expect(await openOf(name)).toEqual([['OLD-1', 50_000]])

  const digest = await digestOf(name)
  const issued = await Promise.all([1, 2].map(() => post('/invoice', { number: made.number, digest })))
  expect(issued.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const [invoiced] = await quotesOf(name)
  expect(invoiced).toMatchObject({ state: 'invoiced', payments: [{ id: 'UTR-1', amountPaise: 1_357_100 }] })
  const { document } = (await ask('GET', `/admin/invoice?number=${encodeURIComponent(invoiced.invoice)}`)).body
  expect(document.items.map(({ description, taxablePaise }: ReplyBody) => [description, taxablePaise])).toEqual([
    ['Setup of a classroom', 950_000],
    ['Training of two instructors', 200_050],
  ])
  expect(await openOf(name)).toEqual([['OLD-1', 50_000]])
  expect(await post('/withdraw', { number: made.number })).toMatchObject({ status: 409 })
})

test('an admin reads, answers and saves only quotes for the own organisation, and changes nothing else', async () => {
  const [theirs, own] = [await addCustomer(portal, 'Theirs', 0), await addCustomer(portal, 'Own', 0)]
  const uid = await portal.sessionOf(own.admin)
  const { number } = (await write(theirs.name)).body
  for (const [what, body] of [
    ['/decide', { number, decision: 'accepted' }],
    ['/pdf', { number }],
  ] as const) {
    expect((await post(what, body, uid)).status).toBe(404)
  }
  for (const [what, body] of [
    ['', { organization: own.name, lines: LINES, validUntil: '2026-11-30' }],
    ['/proforma', { number }],
    ['/payments', { number, id: 'X-1' }],
    ['/invoice', { number, digest: '' }],
    ['/withdraw', { number }],
  ] as const) {
    expect((await post(what, body, uid)).status).toBe(403)
  }
  expect((await ask('GET', '/admin/quotes', undefined, uid)).body.quotes).toEqual([])
})

test('an expired or withdrawn quote cannot be accepted, also not in the database', async () => {
  const { name, id } = await addCustomer(portal, 'Late', 0, ADDRESS)
  expect(await write(name, '2026-11-01')).toMatchObject({ status: 409 })
  const [expiring, withdrawn, declined] = [await write(name, '2026-11-07'), await write(name), await write(name)]
  await setClock(portal, '2026-11-07T18:29:00Z')
  expect((await quotesOf(name)).map(({ expired }) => expired)).toEqual([false, false, false])
  await setClock(portal, '2026-11-07T18:31:00Z')
  const answer = { decision: 'accepted', answer: 'By phone' }
  expect(await post('/decide', { number: expiring.body.number, ...answer })).toMatchObject({ status: 409 })
  expect(await post('/withdraw', { number: withdrawn.body.number })).toMatchObject({ status: 200 })
  expect(await post('/decide', { number: withdrawn.body.number, ...answer })).toMatchObject({ status: 409 })
  await post('/decide', { number: declined.body.number, decision: 'declined', answer: 'Too expensive' })
  for (const [number, state] of [
    [withdrawn.body.number, 'accepted'],
    [declined.body.number, 'accepted'],
    [expiring.body.number, 'proforma'],
    [expiring.body.number, 'invoiced'],
  ]) {
    await expect(
      sql`update quote set state = ${state}, decided_by = 'x', decided_at = now()
        where number = ${number} and organisation_id = ${id}`.execute(portal.owner),
    ).rejects.toMatchObject({ code: '23514' })
  }
  expect((await quotesOf(name)).map(({ state, answer: why }) => [state, why])).toEqual([
    ['declined', 'Too expensive'],
    ['withdrawn', null],
    ['open', null],
  ])
})
