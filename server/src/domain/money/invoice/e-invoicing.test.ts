import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emulatedIrp } from '#test/e-invoices.ts'
import { addCustomer, addSuperadmin, ADDRESS, addRuns, SETTINGS, setClock } from '#test/invoicing.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { until } from '#test/until.ts'
import { eInvoiceCheck } from '../../../doctor/e-invoices.ts'
import { awaitingDocuments } from './read.ts'
import { registerDueDocuments } from './register-due.ts'

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
  const waiting = { number, organization: 'Registered', date: '2026-11-05', registerBy: '2026-12-05', problem: null }
  expect(await awaiting()).toEqual([{ ...waiting, daysLeft: 30 }])
  expect(await awaitingDocuments(portal.app.db, '10 or more', '2026-12-07')).toEqual([{ ...waiting, daysLeft: -2 }])
  const below = { ...waiting, registerBy: null, daysLeft: null }
  expect(await awaitingDocuments(portal.app.db, '5 to 10', '2026-12-07')).toEqual([below])

  const { expectedIrn } = (await send('GET', at('/admin/invoice', { number }))).body
  const reply = { irn: expectedIrn, ackNumber: '112010036563310', ackDate: '2026-11-05T06:00:00Z', signedQr: 'a.b.c' }
  expect((await send('POST', '/admin/invoice/registration', { number, ...reply })).status).toBe(200)
  await until('the customer has the registered invoice', () => mailed(number), oneMail)
  expect((await send('POST', '/admin/invoice/pdf', { number }, uid)).status).toBe(200)
  expect((await send('GET', '/admin/invoices', undefined, uid)).body.documents).toHaveLength(1)
  expect(await awaiting()).toEqual([])
  expect(await mailed(number)).toBe(1)
})

test('sends the event of a withheld invoice when it is registered, and other events at once', async () => {
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
    const { digest } = (await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))).body
    const { number } = (await send('POST', '/admin/invoices', { organization: name, month: '2026-10', digest })).body
    const events = () =>
      portal.owner.selectFrom('webhook_event').select(['type', 'data']).where('organisation_id', '=', id).execute()
    return { number, events }
  }
  const event = (number: string) => ({ type: 'invoice.issued', data: expect.objectContaining({ number }) as unknown })
  const consumer = await eventsAfter('Consumer of Events', ADDRESS)
  expect(await consumer.events()).toEqual([event(consumer.number)])
  const { number, events } = await eventsAfter('Registered for Events', { ...ADDRESS, gst: '29AABCR1718E1ZL' })
  expect(await events()).toEqual([])
  const { expectedIrn: irn } = (await send('GET', at('/admin/invoice', { number }))).body
  const reply = { irn, ackNumber: '112010036563311', ackDate: '2026-11-05T06:00:00Z', signedQr: 'a.b.c' }
  const registered = await send('POST', '/admin/invoice/registration', { number, ...reply })
  expect([registered.status, await events()]).toEqual([200, [event(number)]])
})

describe('automatic registration', () => {
  const never = new AbortController().signal
  const GST = '29AABCR1718E1ZL'
  let portalOf: Awaited<ReturnType<typeof emulatedIrp>>

  beforeAll(async () => {
    portalOf = await emulatedIrp(env)
  })
  afterEach(async () => {
    await env.control('DELETE', '/_faults')
    await env.control('POST', '/_irp', { wrongIrn: null })
  })

  const run = (more?: object) => registerDueDocuments(portal.app.db, portalOf(more), env.parts.jobQueue, never)
  const fault = (kind: string, operation: string, more: object = {}) =>
    env.control('POST', '/_faults', { kind, operation, times: 1, ...more })
  const registered = async () => (await env.control('GET', '/_irp')).body.registered as number
  const problem = async () => ((await awaiting()) as { problem: string | null }[]).map((each) => each.problem)
  const registrationOf = async (number: string) =>
    (await send('GET', at('/admin/invoice', { number }))).body.registration
  /** Ends the pause after a failed attempt. */
  const retry = () => sql`update e_invoice_attempt set next_at = portal_now()`.execute(portal.owner)

  test('records IRN, acknowledgement and QR code of the portal, and mails the document', async () => {
    const { number } = await issued('Automatic', { ...ADDRESS, gst: GST })
    const { expectedIrn } = (await send('GET', at('/admin/invoice', { number }))).body
    await run()
    const registration = await registrationOf(number)
    expect(registration).toMatchObject({
      irn: expectedIrn,
      ackNumber: expect.stringMatching(/^1120\d{11}$/) as unknown,
    })
    expect(registration.signedQr.split('.')).toHaveLength(3)
    await until(
      'the customer has the invoice',
      () => mailed(number),
      (mails) => mails === 1,
    )
    const before = await registered()
    await run()
    expect([await registered(), await awaiting()]).toEqual([before, []])
    const rows =
      await sql`select from audit where call = 'invoice.register' and detail::text like ${`%${number}%`}`.execute(
        portal.owner,
      )
    expect(rows.rows).toHaveLength(1)
  })

  test('registers a document only once if replies are lost', async () => {
    const { number } = await issued('Lost Reply', { ...ADDRESS, gst: GST })
    const before = await registered()
    await fault('loseReply', 'Irp_Generate')
    await run()
    const lost = 'The e-invoice portal does not respond.'
    expect([await registered(), await registrationOf(number), await problem()]).toEqual([before + 1, null, [lost]])
    await run()
    expect(await registrationOf(number)).toBeNull()
    // From now on the portal answers 2150 with the IRN. The IRN is used to fetch the registration.
    await retry()
    await fault('malformed', 'Irp_Get')
    await run()
    expect(await problem()).toEqual(['The response of the e-invoice portal could not be read (status 200).'])
    await retry()
    await run()
    expect([await registered(), (await registrationOf(number)).ackNumber]).toEqual([before + 1, expect.any(String)])
    expect(await problem()).toEqual([])
  })

  test('refuses a registration of another document, or a QR code of another key, and shows the reason', async () => {
    const { number } = await issued('Distrusting', { ...ADDRESS, gst: GST })
    await env.control('POST', '/_irp', { wrongIrn: 'a'.repeat(64) })
    await run()
    expect(await problem()).toEqual([`The e-invoice portal answered with the IRN of another document than ${number}.`])
    await retry()
    await run()
    expect([await registrationOf(number), await problem()]).toEqual([
      null,
      [`The e-invoice portal answered with the IRN of another document than ${number}.`],
    ])
    await env.control('POST', '/_irp', { wrongIrn: null })
    await retry()
    await run()
    expect((await registrationOf(number)).irn).toMatch(/^[0-9a-f]{64}$/)

    const forged = await issued('Forged QR', { ...ADDRESS, gst: GST })
    await fault('signedByAnotherKey', 'Irp_Generate')
    await run()
    expect(await problem()).toEqual([
      'The QR code is not signed with the e-invoice portal’s key. Check EINVOICE_SIGNING_KEY.',
    ])
    await retry()
    await run()
    // The portal returns the same QR code; a superadmin can still record the registration by hand.
    expect(await registrationOf(forged.number)).toBeNull()
    const { expectedIrn: irn } = (await send('GET', at('/admin/invoice', { number: forged.number }))).body
    const reply = { irn, ackNumber: '112010036563319', ackDate: '2026-11-05T06:00:00Z', signedQr: 'a.b.c' }
    expect((await send('POST', '/admin/invoice/registration', { number: forged.number, ...reply })).status).toBe(200)
    expect(await awaiting()).toEqual([])
  })

  test("shows refusals in the portal's words, retries with growing pauses, and signs in again", async () => {
    const { number } = await issued('Refused', { ...ADDRESS, gst: GST })
    await issued('Refused Too', { ...ADDRESS, gst: GST })
    await run({ password: 'wrong' })
    expect(await problem()).toEqual(['1008: Invalid login credentials', '1008: Invalid login credentials'])
    await retry()
    await run({ clientSecret: 'wrong' })
    expect(new Set(await problem())).toEqual(new Set(['1010: Invalid Client-ID/Client-Secret']))
    const pauses = []
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await retry()
      await fault('serverError', 'Irp_Auth')
      await run()
      const { rows } = await sql<{ pause: number }>`
        select round(extract(epoch from next_at - portal_now()))::int as pause from e_invoice_attempt`.execute(
        portal.owner,
      )
      pauses.push(rows[0]!.pause)
    }
    expect(pauses[0]).toBe(240)
    expect(pauses.at(-1)).toBe(21_600)
    await retry()
    await fault('unauthorised', 'Irp_Generate')
    await run()
    expect((await registrationOf(number)).ackNumber).toMatch(/^1120/)
  })

  test('is checked by a sign-in', async () => {
    const check = (portal: ReturnType<typeof portalOf> | null, gstin: string | null = GST) =>
      eInvoiceCheck(portal, async () => gstin, []).run(never)
    expect(await check(portalOf())).toMatchObject({ state: 'green' })
    expect([(await check(null)).state, (await check(portalOf(), null)).state]).toEqual(['not used', 'not used'])
    await expect(check(portalOf({ password: 'wrong' }))).rejects.toThrow('1008: Invalid login credentials')
  })

  test('does not record a registration that a superadmin recorded in the meantime', async () => {
    const { number } = await issued('By Hand', { ...ADDRESS, gst: GST })
    const { expectedIrn: irn } = (await send('GET', at('/admin/invoice', { number }))).body
    const reply = { irn, ackNumber: '112010036563320', ackDate: '2026-11-05T06:00:00Z', signedQr: 'a.b.c' }
    const late = {
      register: async (...call: Parameters<ReturnType<typeof portalOf>['register']>) => {
        expect((await send('POST', '/admin/invoice/registration', { number, ...reply })).status).toBe(200)
        return portalOf().register(...call)
      },
    }
    await registerDueDocuments(portal.app.db, late, env.parts.jobQueue, never)
    expect((await registrationOf(number)).ackNumber).toBe(reply.ackNumber)
  })
})
