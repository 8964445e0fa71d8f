import { beforeAll, expect, test } from 'vitest'
import { addCustomer, ADDRESS, addRuns, SETTINGS, setClock } from '#test/invoicing.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { until } from '#test/until.ts'
import { awaitingDocuments } from './read.ts'

const env = await sharedEnvironment()
const { portal } = env
let root: string

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function ask(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  const isFile = reply.headers.get('content-type') === 'application/pdf'
  return { status: reply.status, body: isFile ? null : await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`

async function issued(name: string, billing: Record<string, unknown>) {
  const customer = await addCustomer(portal, name, 1, billing)
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  const { digest } = (await ask('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))).body
  const { body } = await ask('POST', '/admin/invoices', { organization: name, month: '2026-10', digest })
  return { number: body.number as string, uid: await portal.sessionOf(customer.admin), name }
}
const mailed = async (number: string) => {
  const { mails } = (await env.truth('mails')) as unknown as { mails: { subject: string }[] }
  return mails.filter(({ subject }) => subject.startsWith(`Tax Invoice ${number} `)).length
}
const awaiting = async () => (await ask('GET', '/admin/invoices/preview')).body.awaiting as object[]

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  await portal.owner
    .insertInto('portal_user')
    .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: 'none' })
    .execute()
  root = (await env.credentials('root@portal.test')).token
  await ask('PATCH', '/admin/supplier', { ...SETTINGS, turnover: '10 or more', reminders: 'on', paymentDays: 0 })
})

// @covers A267
test('withholds an invoice that needs a registration until it is recorded, then mails the registered pages', async () => {
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
    expect((await ask(method, path, body, uid)).status).toBe(404)
  }
  expect((await ask('GET', '/admin/invoices', undefined, uid)).body.documents).toEqual([])
  expect((await ask('GET', at('/admin/ledger/reminders', { organization: 'Registered' }))).body.open).toEqual([])
  const waiting = { number, organization: 'Registered', date: '2026-11-05', registerBy: '2026-12-05' }
  expect(await awaiting()).toEqual([{ ...waiting, daysLeft: 30 }])
  expect(await awaitingDocuments(portal.app.db, '10 or more', '2026-12-07')).toEqual([{ ...waiting, daysLeft: -2 }])
  const below = { ...waiting, registerBy: null, daysLeft: null }
  expect(await awaitingDocuments(portal.app.db, '5 to 10', '2026-12-07')).toEqual([below])

  const { expectedIrn } = (await ask('GET', at('/admin/invoice', { number }))).body
  const reply = { irn: expectedIrn, ackNumber: '112010036563310', ackDate: '2026-11-05T06:00:00Z', signedQr: 'a.b.c' }
  expect((await ask('POST', '/admin/invoice/registration', { number, ...reply })).status).toBe(200)
  await until('the customer has the registered invoice', () => mailed(number), oneMail)
  expect((await ask('POST', '/admin/invoice/pdf', { number }, uid)).status).toBe(200)
  expect((await ask('GET', '/admin/invoices', undefined, uid)).body.documents).toHaveLength(1)
  expect(await awaiting()).toEqual([])
  expect(await mailed(number)).toBe(1)
})

// @covers A447
test('sends the event of a withheld invoice when its registration is recorded, and of others at once', async () => {
  const eventsAfter = async (name: string, billing: Record<string, unknown>) => {
    const customer = await addCustomer(portal, name, 1, billing)
    const { id } = await portal.owner
      .selectFrom('organisation')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    await portal.owner
      .insertInto('webhook_endpoint')
      .values({
        organisation_id: id,
        url: 'https://hooks.example.com/',
        description: '',
        events: ['invoice.issued'],
        secret: Buffer.from('none'),
      })
      .execute()
    await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
    const { digest } = (await ask('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))).body
    const { number } = (await ask('POST', '/admin/invoices', { organization: name, month: '2026-10', digest })).body
    const events = () =>
      portal.owner.selectFrom('webhook_event').select(['type', 'data']).where('organisation_id', '=', id).execute()
    return { number, events }
  }
  const event = (number: string) => ({ type: 'invoice.issued', data: expect.objectContaining({ number }) as unknown })
  const consumer = await eventsAfter('Consumer of Events', ADDRESS)
  expect(await consumer.events()).toEqual([event(consumer.number)])
  const { number, events } = await eventsAfter('Registered for Events', { ...ADDRESS, gst: '29AABCR1718E1ZL' })
  expect(await events()).toEqual([])
  const { expectedIrn: irn } = (await ask('GET', at('/admin/invoice', { number }))).body
  const reply = { irn, ackNumber: '112010036563311', ackDate: '2026-11-05T06:00:00Z', signedQr: 'a.b.c' }
  const registered = await ask('POST', '/admin/invoice/registration', { number, ...reply })
  expect([registered.status, await events()]).toEqual([200, [event(number)]])
})
