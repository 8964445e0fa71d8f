/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { connectedModules } from '@trainyard/platform/server/core/events.ts'
import { publishedBody } from '@trainyard/platform/contract/published.ts'
import { testEvent } from '@trainyard/webhooks/contract/webhook-event.ts'
import { PUBLISHED } from '@trainyard/modules/contract.ts'
import { TEST_EVENT } from '@trainyard/webhooks/contract/webhook-words.ts'
import type { guideEvents } from '@trainyard/guides/contract/guide-event.ts'
import { endProof } from '@trainyard/guides/server/proof/kind.ts'
import { startProof } from '@trainyard/guides/server/proof/store.ts'
import { versionOf } from '@trainyard/guides/server/store.ts'
import { minimalGuide } from '@trainyard/guides/test/minimal-guide.ts'
import { zipOfFiles } from '@trainyard/guides/server/format/zip-of.ts'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { publishEntryOf } from '@trainyard/invoices/server/publish-entry.ts'
import { raiseAlerts } from '@trainyard/budgets/server/alert.ts'
import type { OrganisationId, TaxDocumentId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'
import { WEBHOOK_GAUGES } from '@trainyard/webhooks/server/gauges.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { machinesOf, order, people, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { failMachines } from '@trainyard/platform/test/failing-machines.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { insertTraining, markRemoved, restoreTraining } from '@trainyard/trainings/server/existence.ts'
import { recordEvaluation } from '@trainyard/budgets/server/evaluate.ts'
import { addressChanged } from '@trainyard/users/server/address.ts'
import { publish, published } from '@trainyard/users/server/notices.ts'
import { postDocument } from '@trainyard/invoices/server/queries.ts'

interface Received {
  readonly message_id: string
  readonly type: string
  readonly rejected: string | null
  readonly answer: string
  readonly body: string
}
interface Body {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>> & { readonly sequence: number }
}

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const globex = await env.organisation('Globex Academy')
const foreign = await env.signIn('admin', 'admin@globex.test', globex)
const receiver = `${env.emulator.url}/webhooks/receive`

const received = async () => (await env.control('GET', '/_receiver')).body.received as Received[]
const reply = (answer: string) => env.control('POST', '/_receiver', { answer })
const bodyOf = ({ body }: Received) => JSON.parse(body) as Body
const addEndpoint = async (as: Caller, events: readonly string[] = [], url = receiver) => {
  const { status, body } = await as('POST', '/webhooks', { url, description: 'Chat', events })
  expect([status, body.message]).toEqual([200, `The webhook endpoint ${url} was added.`])
  await env.control('POST', '/_receiver', { secret: body.secret as string })
  return body as { id: string; secret: string }
}
interface Listed {
  readonly id: string
  readonly pending: number
  readonly disabled: { readonly reason: string } | null
  readonly failingSince: string | null
}
const endpointOf = async (as: Caller, id: string) =>
  ((await as('GET', '/webhooks')).body.endpoints as Listed[]).find((each) => each.id === id)!
interface Delivery {
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly state: string
  readonly attempts: number
  readonly next: string | null
}
const deliveriesOf = async (as: Caller, id: string, more = '') =>
  (await as('GET', `/webhooks/deliveries?id=${id}${more}`)).body.deliveries as Delivery[]
const settled = (as: Caller, id: string) =>
  until(
    'everything is delivered',
    () => endpointOf(as, id),
    ({ pending }) => pending === 0,
  )
const change = (as: Caller, id: string, enabled: boolean) =>
  as('PATCH', '/webhooks', { id, url: receiver, description: 'Chat', events: [], enabled })
/** Entries and budgets of these tests are inserted without their documents, which breaks other invariants. */
const brokenWebhooks = async () =>
  (await brokenInvariants(env.db, { quiet: false })).filter(({ name }) => name.startsWith('W'))
const raise = (as: Caller) => as('POST', '/webhooks/test', { id: main.id })

/** Publishes a guide, proves it with and without faults, and completes it. */
async function completeGuide({ _id: id, name, email }: Machine, training: TrainingId): Promise<void> {
  await admin('POST', '/guides', { bytes: zipOfFiles(minimalGuide('files')).toString('base64') })
  await admin('POST', '/guides/publish', { guide: 'files', number: 1, reason: 'A test.' })
  await env.db.transaction().execute(async (tx) => {
    const version = await versionOf(tx, acme, { guide: 'files', number: 1 })
    for (const state of ['proven', 'faulty'] as const) {
      const proof = await startProof(tx, version, TEMPLATE, null)
      await tx.updateTable('proof').set({ phase: 'ended', reconcile_at: null, state, ended_at: env.now() }).execute()
      const row = await tx.selectFrom('proof').selectAll().where('id', '=', proof).executeTakeFirstOrThrow()
      await endProof(tx, { ...row, now: env.now() }, state, null)
    }
    const of = { organisation: acme, resource: `machine:${id}`, training }
    const data = { guide: 'files', number: 1, machine: { id, name }, learner: email, points: 1 }
    await publish<typeof guideEvents>(tx, [
      { ...of, type: 'task.completed', data: { ...data, task: 'task' } },
      { ...of, type: 'guide.completed', data },
    ])
  })
}

async function issueAndCredit(tx: Tx, organisation: OrganisationId): Promise<void> {
  for (const [kind, prefix] of [
    ['invoice', 'INV'],
    ['credit note', 'CRN'],
  ] as const) {
    const entry = { organisation, particular: 'x', source: 'issued', by: 'a', date: '2026-10-31' } as const
    const entryKind = kind === 'invoice' ? 'invoice' : 'payment'
    await addEntry(tx, { ...entry, kind: entryKind, reference: `${prefix}/26-27/00001`, amount: 100 as never })
    const { rows } = await sql<{
      id: TaxDocumentId
    }>`insert into tax_document (organisation_id, kind, supplier_gstin, prefix, financial_year, serial, issued_on, due_on,
        month, of_document, taxable_paise, cgst_paise, sgst_paise, igst_paise, round_off_paise, total_paise, content,
        e_invoice, pdf, needs_registration, created_by)
      select ${organisation}, ${kind}, '29AAFCC9980M1ZR', ${prefix}, '26-27', 1, '2026-10-31'::date,
        case ${kind} when 'invoice' then '2026-11-15'::date end, case ${kind} when 'invoice' then '2026-09-01'::date end,
        (select id from tax_document where ${kind} <> 'invoice' and organisation_id = ${organisation}),
        100, 0, 0, 0, 0, 100, '{}', '{}', '', false, 'a' returning id`.execute(tx)
    const { id } = rows[0]!
    await postDocument(tx, id)
    await publishEntryOf(tx, id)
  }
}

/**
 * Fills a registration link: one learner gets a seat after an approval, one from the waiting list, and a third is
 * declined.
 */
async function fillLink(trainingName: string): Promise<void> {
  const settings = { opensAt: null, closesAt: null, domains: [], machine: null }
  const added = await admin('POST', '/azure/registrationLinks', {
    trainingName,
    name: 'Autumn',
    seats: 2,
    needsApproval: true,
    ...settings,
  })
  expect(added).toMatchObject({ status: 200 })
  const link = added.body._id as string
  const { code } = (await admin('GET', `/azure/registrationLinks?trainingName=${encodeURIComponent(trainingName)}`))
    .body.links[0]
  const register = async (email: string, wait = false) => {
    const as = await env.signIn('user', email, acme)
    expect(await as('POST', '/registration/seat', { code, wait, name: 'Asha Rao' })).toMatchObject({ status: 200 })
  }
  const decide = async (decision: 'approve' | 'decline', email: string) =>
    expect(await admin('POST', `/azure/registrations/${decision}`, { link, emails: [email] })).toMatchObject({
      status: 200,
    })
  await register('declined@acme.test')
  await register('approved@acme.test')
  await decide('decline', 'declined@acme.test')
  await decide('approve', 'approved@acme.test')
  const change = (seats: number, needsApproval: boolean) =>
    admin('PATCH', '/azure/registrationLinks', { link, seats, needsApproval })
  await change(1, false)
  await register('waiting@acme.test', true)
  await change(2, false)
  await until(
    'the waiting learner has a seat',
    async () => (await admin('GET', `/azure/registrations?link=${link}`)).body.registrations as { state: string }[],
    (all) => all.filter(({ state }) => state === 'seated').length === 2,
  )
}

const first = await env.worker()
const main = await addEndpoint(admin)
const invoicesOnly = await addEndpoint(admin, ['invoice.issued'], `${receiver}?invoices`)
const foreignEndpoint = await addEndpoint(foreign, [], `${receiver}?globex`)

test('an event of each type is written with its change, has its documented shape, and arrives signed and in order', async () => {
  await admin('POST', '/azure/machines', order('Linux 101', people(2)))
  await until(
    'the machines run',
    () => machinesOf(admin, 'Linux 101'),
    (all) => all.length === 2 && all.every(({ status }) => status === 'Running'),
  )
  const [machine] = await machinesOf(admin, 'Linux 101')
  const { id: trainingId } = await env.db
    .selectFrom('training')
    .select('id')
    .where('name', '=', 'Linux 101')
    .executeTakeFirstOrThrow()
  await env.db.transaction().execute(async (tx) => {
    const entry = { organisation: acme, particular: 'x', date: env.now(), source: 'manual', by: 'a' } as const
    await addEntry(tx, { ...entry, kind: 'invoice', reference: 'I-1', amount: 500 as never })
    await addEntry(tx, { ...entry, kind: 'payment', reference: 'P-1', amount: 500 as never })
    await addEntry(tx, { ...entry, kind: 'refund', reference: 'R-1', refundOf: 'P-1', amount: 100 as never })
    await addEntry(tx, { ...entry, kind: 'invoice reversal', reference: 'IR-1', reverses: 'I-1', amount: 500 as never })
    await addEntry(tx, { ...entry, kind: 'payment reversal', reference: 'PR-1', reverses: 'P-1', amount: 500 as never })
    await issueAndCredit(tx, acme)
    for (const kind of ['budget', 'quota'] as const) {
      const subject = { organisation: acme, training: trainingId, kind, month: null, used: 90, total: 100 }
      await raiseAlerts(tx, env.parts.jobQueue, subject, [80])
    }
    await sql`insert into budget (organisation_id, amount_paise, spending_cap, set_by) values (${acme}, 100, true, 'a')`.execute(
      tx,
    )
    const budget = await tx.selectFrom('budget').select('id').executeTakeFirstOrThrow()
    await recordEvaluation(tx, budget.id, { isCapped: true, seconds: 60, before: null })
    await sql`delete from budget`.execute(tx)
  })
  const learner = await env.signIn('user', machine!.email, acme)
  await learner('POST', '/azure/class/hand', { trainingName: 'Linux 101', reason: 'stuck' })
  await learner('DELETE', '/azure/class/hand?trainingName=Linux%20101')
  await fillLink('Linux 101')
  await completeGuide(machine!, trainingId)
  await failMachines(env.db, 'No capacity', machine!.name)
  await env.db.transaction().execute((tx) => addressChanged(tx, acme, machine!.email, 'learner9@acme.test'))
  const names = [{ name: machine!.name, resourceGroup: machine!.resourceGroup }]
  await admin('PATCH', '/azure/machines', [{ operation: 0 }, ...names])
  await until(
    'the machine is stopped',
    () => machinesOf(admin, 'Linux 101'),
    (all) => all.some(({ name, status }) => name === machine!.name && status === 'Stopped'),
  )
  await env.db.transaction().execute(async (tx) => {
    await markRemoved(tx, { id: trainingId, organisation: acme })
    await restoreTraining(tx, { id: trainingId, organisation: acme })
  })
  await admin('DELETE', '/azure/machines', names)
  await raise(admin)
  const declared = connectedModules().flatMap(({ publishes }) => Object.entries(publishes ?? {}))
  expect(declared.map(([type]) => type).toSorted()).toEqual(Object.keys(PUBLISHED).toSorted())
  const shapes = new Map([...declared.map(([type, { data }]) => [type, data] as const), [TEST_EVENT, testEvent]])
  const types = [...shapes.keys()].toSorted()
  await until(
    'every type was received',
    async () => [...new Set((await received()).map(({ type }) => type))].toSorted(),
    (got) => JSON.stringify(got) === JSON.stringify(types),
  )
  await settled(admin, main.id)

  const all = await received()
  expect(all.filter(({ rejected }) => rejected !== null)).toEqual([])
  for (const one of all) {
    const { type } = bodyOf(one)
    publishedBody(type, shapes.get(type)!).parse(JSON.parse(one.body))
  }
  const ofMachine = all.map(bodyOf).filter(({ data }) => (data['machine'] as { name?: string })?.name === machine!.name)
  expect(ofMachine.map(({ type }) => type)).toEqual([
    'machine.created',
    'machine.started',
    'task.completed',
    'guide.completed',
    'machine.failed',
    'machine.assigned',
    'machine.stopped',
    'machine.deleted',
  ])
  const registrations = all.map(bodyOf).filter(({ type }) => type.startsWith('registration.'))
  expect(
    registrations
      .toSorted((a, b) => a.data.sequence - b.data.sequence)
      .map(({ type, data: { learner, decidedBy, seats } }) => [type, learner ?? seats, decidedBy]),
  ).toEqual([
    ['registration.requested', 'declined@acme.test', undefined],
    ['registration.requested', 'approved@acme.test', undefined],
    ['registration.declined', 'declined@acme.test', 'admin@acme.test'],
    ['registration.approved', 'approved@acme.test', 'admin@acme.test'],
    ['registration.seated', 'approved@acme.test', undefined],
    ['registration.link_full', 1, undefined],
    ['registration.waiting', 'waiting@acme.test', undefined],
    ['registration.seated', 'waiting@acme.test', undefined],
    ['registration.link_full', 2, undefined],
  ])
  expect(JSON.stringify(all)).not.toContain('password')
  // The endpoint with a filter received a second copy of one event; the other organisation received nothing.
  expect(all.filter(({ type }) => type === 'invoice.issued')).toHaveLength(4)
  expect(await deliveriesOf(admin, invoicesOnly.id)).toMatchObject(
    Array.from({ length: 2 }, () => ({ type: 'invoice.issued', state: 'delivered' })),
  )
  expect(await deliveriesOf(foreign, foreignEndpoint.id)).toEqual([])
})

test('an event is written only if the transaction of its change commits', async () => {
  const count = async () => (await deliveriesOf(admin, main.id)).length
  const before = await count()
  await env.db
    .transaction()
    .execute(async (tx) => {
      await insertTraining(tx, acme, 'Rolled back')
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(await count()).toBe(before)
  await env.db.transaction().execute((tx) => insertTraining(tx, acme, 'Committed'))
  expect(await count()).toBe(before + 1)
})

describe('a receiver that is down', () => {
  test('receives every event in order, although workers stop during requests, and repeats have the same id', async () => {
    await settled(admin, main.id)
    const before = (await received()).length
    const sent = async () => (await received()).slice(before)
    await reply('timeout')
    const started: string[] = []
    const raiseHand = async (at: number) => {
      const email = `learner${at}@acme.test`
      const event = { organisation: acme, resource: `hand:${email}` }
      await env.db.transaction().execute(async (tx) => {
        await emit(tx, published, [{ ...event, type: 'hand.raised', data: { learner: email, reason: null } }])
        await emit(tx, published, [{ ...event, type: 'hand.lowered', data: { learner: email } }])
      })
      started.push(email)
    }
    for (let at = 0; at < 3; at++) await raiseHand(at)
    await until('a request is in progress', sent, (all) => all.length >= 2)
    // The worker ends while the receiver does not answer.
    await first.stop()
    await reply('500')
    const second = await env.worker()
    await until(
      'the endpoint has failed',
      () => endpointOf(admin, main.id),
      ({ failingSince }) => failingSince !== null,
    )
    await second.stop()
    for (let at = 3; at < 6; at++) await raiseHand(at)
    await env.worker()
    await env.step(3_600)
    await until('the endpoint was retried', sent, (all) =>
      all.some(({ type, answer }) => type === 'hand.raised' && answer === '500'),
    )
    await reply('200')
    await env.step(3_600)
    await until(
      'everything is delivered',
      async () => {
        await env.step(60)
        return endpointOf(admin, main.id)
      },
      ({ pending }) => pending === 0,
    )
    // A step of the clock can end a lease during its request. Another request then repeats it.
    const accepted = (await sent())
      .filter(({ answer }) => answer === '200')
      .filter(({ message_id }, at, all) => all.findIndex((other) => other.message_id === message_id) === at)
    expect(accepted).toHaveLength(12)
    for (const learner of started) {
      const types = accepted.filter(({ body }) => body.includes(learner)).map(({ type }) => type)
      expect([learner, types]).toEqual([learner, ['hand.raised', 'hand.lowered']])
    }
    const attempts = await sent()
    const ids = new Set(attempts.map(({ message_id }) => message_id))
    expect([ids.size, attempts.length > ids.size]).toEqual([12, true])
    for (const id of ids) {
      expect(new Set(attempts.filter(({ message_id }) => message_id === id).map(({ body }) => body)).size).toBe(1)
    }
    expect((await endpointOf(admin, main.id)).failingSince).toBeNull()
    expect(await brokenWebhooks()).toEqual([])
  })

  test(
    'is disabled after three days, with a mail to the admins, and gets its failed events when it is enabled again',
    { tags: ['storm'] },
    async () => {
      await reply('500')
      const since = env.now().toISOString()
      await raise(admin)
      await until(
        'the first attempt has failed',
        () => endpointOf(admin, main.id),
        ({ failingSince }) => failingSince !== null,
      )
      // Skips attempts, each of which would send a request.
      await sql`update webhook_delivery set attempts = 8 where state = 'pending'`.execute(env.db)
      const disabled = await until(
        'the endpoint is disabled',
        async () => {
          await env.step(20 * 3_600)
          return endpointOf(admin, main.id)
        },
        (endpoint) => endpoint.disabled !== null && endpoint.pending === 0,
      )
      expect(disabled).toMatchObject({ disabled: { reason: 'failing' } })
      const { body } = await admin('GET', `/webhooks/delivery?id=${(await deliveriesOf(admin, main.id))[0]!.id}`)
      expect(body.delivery).toMatchObject({ type: TEST_EVENT, state: 'failed', attempts: 10, status: 500 })
      const attempts = body.attempts as { response: { status: number; body: string }; requestHeaders: object }[]
      expect(attempts[0]).toMatchObject({
        requestHeaders: { 'webhook-id': (body.delivery as Delivery).eventId },
        response: { status: 500, body: '{"received":true}' },
      })
      await until(
        'the mail arrives',
        async () => {
          const { body: truth } = await env.control('GET', '/_truth?part=mails')
          return truth.mails as { to: string[]; subject: string }[]
        },
        (mails) =>
          mails.some(({ to, subject }) => to[0] === 'admin@acme.test' && subject.startsWith('Webhook endpoint')),
      )
      // No event is written for a disabled endpoint, and it cannot be tested.
      const count = (await deliveriesOf(admin, main.id)).length
      await sql`insert into training (organisation_id, name) values (${acme}, 'While disabled')`.execute(env.db)
      expect((await deliveriesOf(admin, main.id)).length).toBe(count)
      expect(await raise(admin)).toMatchObject({ status: 409 })
      await reply('200')
      expect((await change(admin, main.id, true)).status).toBe(200)
      expect(await admin('POST', '/webhooks/resend', { range: 'failed', id: main.id, since })).toMatchObject({
        body: { count: 1 },
      })
      await settled(admin, main.id)
      expect((await deliveriesOf(admin, main.id))[0]).toMatchObject({ state: 'delivered' })
    },
  )

  test('is disabled at once if it replies with 410, and its pending deliveries fail', async () => {
    await reply('410')
    await raise(admin)
    const { disabled } = await until(
      'the endpoint is disabled',
      () => endpointOf(admin, main.id),
      (endpoint) => endpoint.disabled !== null && endpoint.pending === 0,
    )
    expect(disabled).toMatchObject({ reason: 'gone' })
    await reply('200')
    await change(admin, main.id, true)
  })
})

test('requests are signed with the new and the former secret for a day after a rotation', async () => {
  const signatures = async () => {
    await raise(admin)
    await settled(admin, main.id)
    const [latest] = await deliveriesOf(admin, main.id)
    const { body } = await admin('GET', `/webhooks/delivery?id=${latest!.id}`)
    const [attempt] = body.attempts as { requestHeaders: Record<string, string> }[]
    return attempt!.requestHeaders['webhook-signature']!.split(' ').length
  }
  expect(await signatures()).toBe(1)
  const { body } = await admin('POST', '/webhooks/secret', { id: main.id })
  expect(body.secret).not.toBe(main.secret)
  // The receiver knows only the former secret.
  expect(await signatures()).toBe(2)
  expect((await received()).at(-1)!.rejected).toBeNull()
  await env.control('POST', '/_receiver', { secret: body.secret as string })
  await env.step(25 * 3_600)
  expect(await signatures()).toBe(1)
  expect((await received()).at(-1)!.rejected).toBeNull()
})

test('a single delivery is sent again with the same id', async () => {
  const [latest] = await deliveriesOf(admin, main.id)
  const before = (await received()).length
  expect((await admin('POST', '/webhooks/resend', { range: 'one', delivery: latest!.id })).body).toMatchObject({
    count: 1,
    message: 'One event is being sent again.',
  })
  const again = await until('it arrives again', received, (all) => all.length > before)
  expect(again.at(-1)!.message_id).toBe(latest!.eventId)
  const none = { range: 'all', id: main.id, since: new Date(env.now().getTime() + 60_000).toISOString() }
  expect((await admin('POST', '/webhooks/resend', none)).body).toMatchObject({ count: 0 })
})

test('secrets are shown once: no list, log, audit row or column contains them', async () => {
  const { body } = await admin('GET', '/webhooks')
  const { rows } = await sql<{ text: string }>`
    select (select json_agg(a)::text from audit a) || (select json_agg(e)::text from webhook_endpoint e)
      || (select json_agg(t)::text from webhook_attempt t) as text`.execute(env.db)
  for (const text of [JSON.stringify(body), rows[0]!.text]) expect(text).not.toContain(main.secret.slice(6))
  expect(rows[0]!.text).toContain('webhook.rotate')
})

test('an organisation can not read, change or test the endpoints of another, and addresses must be public', async () => {
  const foreignCalls = [
    ['PATCH', '/webhooks', { id: main.id, url: receiver, description: '', events: [], enabled: false }],
    ['DELETE', '/webhooks', { id: main.id }],
    ['POST', '/webhooks/secret', { id: main.id }],
    ['POST', '/webhooks/test', { id: main.id }],
    ['GET', `/webhooks/deliveries?id=${main.id}`, undefined],
    ['POST', '/webhooks/resend', { range: 'all', id: main.id, since: '2026-01-01T00:00:00Z' }],
  ] as const
  for (const [method, path, body] of foreignCalls) {
    expect([path, (await foreign(method, path, body)).status]).toEqual([path, 404])
  }
  const refused = [
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    `${env.emulator.url}/_faults`,
  ]
  for (const url of refused) {
    expect([url, (await admin('POST', '/webhooks', { url, description: '', events: [] })).status]).toEqual([url, 400])
  }
})

test('an organisation has at most ten endpoints', async () => {
  const statuses = []
  for (let at = 0; at < 10; at++) {
    statuses.push(
      (await foreign('POST', '/webhooks', { url: `${receiver}?${at}`, description: '', events: ['hand.raised'] }))
        .status,
    )
  }
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 409])
})

test('old events are deleted with their deliveries, except pending ones', async () => {
  await settled(admin, main.id)
  await reply('500')
  await raise(admin)
  await env.step(31 * 24 * 3_600)
  const pending = async () => (await endpointOf(admin, main.id)).pending
  expect((await WEBHOOK_GAUGES.read(env.db)).find(({ gauge }) => gauge === 'webhooks_waiting')!.value).toBe(
    await pending(),
  )
  await cleanUp(env.parts.db)
  const { rows } = await sql<{ events: number }>`
    select count(*)::int as events from webhook_event e where created_at < portal_now() - interval '30 days'
      and not exists (select from webhook_delivery where event_id = e.id and state = 'pending')`.execute(env.db)
  expect(rows).toEqual([{ events: 0 }])
  await reply('200')
  expect((await admin('DELETE', '/webhooks', { id: main.id })).status).toBe(200)
  expect(await brokenWebhooks()).toEqual([])
  expect(env.bugs).toEqual([])
})
