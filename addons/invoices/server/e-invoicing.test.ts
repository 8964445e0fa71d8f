import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import {
  addCustomer,
  addSuperadmin,
  ADDRESS,
  addRuns,
  hearPublications,
  registration,
  SETTINGS,
  setClock,
} from '../test/invoicing.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { awaitingDocuments } from './read.ts'

const env = await sharedEnvironment()
const { portal } = env
let root: string

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  const isFile = reply.headers.get('content-type') === 'application/pdf'
  return { status: reply.status, body: isFile ? null : await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`

async function issued(name: string, billing: Record<string, unknown>) {
  const customer = await addCustomer(portal, name, 1, billing)
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  const { digest } = (await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))).body
  const { body } = await send('POST', '/admin/invoices', { organization: name, month: '2026-10', digest })
  return { number: body.number as string, uid: await portal.sessionOf(customer.admin), name }
}
const mailed = async (number: string) => {
  const { mails } = (await env.truth('mails')) as unknown as { mails: { subject: string }[] }
  return mails.filter(({ subject }) => subject.startsWith(`Tax Invoice ${number} `)).length
}
const awaiting = async () => (await send('GET', '/admin/invoices/preview')).body.awaiting as object[]

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
  await send('PATCH', '/admin/supplier', { ...SETTINGS, turnover: '10 or more', reminders: 'on', paymentDays: 0 })
})

test('withholds an invoice until its required registration is recorded, then e-mails it', async () => {
  const registered = await issued('Registered', { ...ADDRESS, gst: '29AABCR1718E1ZL' })
  const consumer = await issued('Consumer', ADDRESS)
  await env.worker()
  const oneMail = (mails: number) => mails === 1
  await until('the consumer has the invoice', () => mailed(consumer.number), oneMail)
  expect(await mailed(registered.number)).toBe(0)

  const { number, uid } = registered
  for (const [method, path, body] of [
    ['POST', '/admin/invoice/pdf', { number }],
    ['POST', '/admin/invoice/json', { number }],
    ['GET', at('/admin/invoice', { number }), undefined],
  ] as const) {
    expect((await send(method, path, body, uid)).status).toBe(404)
  }
  expect((await send('GET', '/admin/invoices', undefined, uid)).body.documents).toEqual([])
  expect((await send('GET', at('/admin/ledger/reminders', { organization: 'Registered' }))).body.open).toEqual([])
  const waiting = { number, organization: 'Registered', date: '2026-11-05', registerBy: '2026-12-05' }
  expect(await awaiting()).toEqual([{ ...waiting, daysLeft: 30 }])
  expect(await awaitingDocuments(portal.app.db, '10 or more', '2026-12-07')).toEqual([{ ...waiting, daysLeft: -2 }])
  const below = { ...waiting, registerBy: null, daysLeft: null }
  expect(await awaitingDocuments(portal.app.db, '5 to 10', '2026-12-07')).toEqual([below])

  const { expectedIrn } = (await send('GET', at('/admin/invoice', { number }))).body
  const recorded = registration(number, expectedIrn, '2026-11-05T06:00:00Z')
  expect((await send('POST', '/admin/invoice/registration', recorded, uid)).status).toBe(403)
  expect((await send('POST', '/admin/invoice/registration', recorded)).status).toBe(200)
  await until('the customer has the registered invoice', () => mailed(number), oneMail)
  expect((await send('POST', '/admin/invoice/pdf', { number }, uid)).status).toBe(200)
  expect((await send('GET', '/admin/invoices', undefined, uid)).body.documents).toHaveLength(1)
  expect(await awaiting()).toEqual([])
  const again = await send('POST', '/admin/invoice/registration', recorded)
  expect([again.status, again.body.message]).toEqual([409, `${number} is already registered.`])
  expect(await mailed(number)).toBe(1)
  const { rows } = await sql`
    select from audit where call = 'invoice.register' and refused is null and detail::text like ${`%${number}%`}`.execute(
    portal.owner,
  )
  expect(rows).toHaveLength(1)
})

test('sends the event of a withheld invoice when it is registered, and other events at once', async () => {
  const heard = hearPublications()
  const eventsAfter = async (name: string, billing: Record<string, unknown>) => {
    const customer = await addCustomer(portal, name, 1, billing)
    const { id } = await portal.owner
      .selectFrom('organisation')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
    const { digest } = (await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))).body
    const { number } = (await send('POST', '/admin/invoices', { organization: name, month: '2026-10', digest })).body
    const events = () => heard.filter(({ organisation, type }) => organisation === id && type === 'invoice.issued')
    return { number, events }
  }
  const event = (number: string) => expect.objectContaining({ data: expect.objectContaining({ number }) }) as unknown
  const consumer = await eventsAfter('Consumer of Events', ADDRESS)
  expect(consumer.events()).toEqual([event(consumer.number)])
  const { number, events } = await eventsAfter('Registered for Events', { ...ADDRESS, gst: '29AABCR1718E1ZL' })
  expect(events()).toEqual([])
  const { expectedIrn: irn } = (await send('GET', at('/admin/invoice', { number }))).body
  const recorded = registration(number, irn, '2026-11-05T06:00:00Z')
  const registered = await send('POST', '/admin/invoice/registration', recorded)
  expect([registered.status, events()]).toEqual([200, [event(number)]])
})
