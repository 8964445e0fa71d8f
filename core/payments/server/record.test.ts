import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import type { PaymentRow } from '../tables.gen.ts'
import type { ProviderPayment } from './payments-provider.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { makePaymentDue } from './due.ts'
import { paymentKind } from './step.ts'

let portal: TestPortal
let reconciler: TestReconciler
let organisation: OrganisationId
let id: string
let order: string
let count = 0
let orderPaid = false

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  orderPaid = false
  count += 1
  id = randomUUID()
  order = `order_${count}`
  const made = await portal.owner
    .insertInto('organisation')
    .values({ name: `Payer ${count}`, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  organisation = made.id
  await sql`
    insert into payment (id, organisation_id, amount_paise, order_id, asked_by, reconcile_at)
    values (${id}, ${organisation}, 50000, ${order}, 'admin@payer.test', portal_now())`.execute(portal.owner)
})

const payment = (name: string, more: Partial<ProviderPayment> = {}): ProviderPayment => ({
  id: `pay_${count}_${name}`,
  orderId: order,
  state: 'captured',
  amount: 50_000,
  currency: 'INR',
  at: reconciler.timeAfter(-9),
  refunds: [],
  ...more,
})
const PROCESSED = { receipt: null, state: 'processed' } as const
/** Polls the order once and returns its row. The provider returns the listed replies one after the other. */
const poll = async (...answers: (readonly ProviderPayment[])[]) => {
  const captures: string[] = []
  const kind = paymentKind({
    async listPayments() {
      return answers.length > 1 ? answers.shift()! : answers[0]!
    },
    isOrderPaid: async () => orderPaid,
    async capture({ id: which }: { readonly id: string }) {
      captures.push(which)
    },
  } as never)
  return { ...(await reconciler.process<PaymentRow>(kind, id)), captures }
}
const ledger = async () => {
  const { rows } = await sql<{ reference: string; amount: number; particular: string; kind: string; by: string }>`
    select reference, amount_paise as amount, particular, kind, created_by as by from ledger_entry
    where organisation_id = ${organisation} order by id`.execute(portal.owner)
  return rows
}
const credits = async () => (await ledger()).map(({ reference, amount }) => [reference.split('_').at(-1), amount])
const audited = async () => {
  const { rows } = await sql<{ detail: { added: string[] } }>`
    select detail from audit where call = 'payment.credit' and detail->>'order' = ${order} order by id`.execute(
    portal.owner,
  )
  return rows.map(({ detail }) => detail.added)
}

test('credits a captured payment once, with an audit row, and polls hourly from then on', async () => {
  const one = payment('one')
  expect(await poll([one])).toMatchObject({
    credited: [one.id],
    paid_at: reconciler.timeAfter(0),
    last_error: null,
    pause: 3_600,
  })
  await reconciler.wait(100)
  expect(await poll([one])).toMatchObject({ credited: [one.id], paid_at: reconciler.timeAfter(0) })
  expect(await credits()).toEqual([['one', 50_000]])
  expect(await audited()).toEqual([[one.id]])
})

test('polls an order without a payment every minute at first and writes no audit row', async () => {
  expect(await poll([])).toMatchObject({ credited: [], paid_at: null, last_error: null, pause: 60 })
  expect(await poll([payment('failed', { state: 'failed' })])).toMatchObject({ paid_at: null, credited: [] })
  expect([await credits(), await audited()]).toEqual([[], []])
})

test('does not credit a payment of another order', async () => {
  expect(await poll([payment('other', { orderId: 'order_other' })])).toMatchObject({ credited: [], last_error: null })
  expect(await credits()).toEqual([])
})

test('credits two payments of one order and deducts a refund once', async () => {
  const refund = { id: `rfnd_${count}_part`, amount: 20_000, at: reconciler.timeAfter(-5), ...PROCESSED }
  const [one, two] = [payment('one', { refunds: [refund] }), payment('two')]
  expect((await poll([one, two])).credited).toEqual([one.id, two.id])
  await poll([one, two])
  expect(await credits()).toEqual([
    ['one', 50_000],
    ['part', 20_000],
    ['two', 50_000],
  ])
  expect(await audited()).toEqual([[one.id, refund.id, two.id]])
  const { by, particular, kind } = (await ledger())[1]!
  expect([by, particular, kind]).toEqual(['admin@payer.test', `Refund of ${one.id}`, 'refund'])
})

test.each([
  ['of another amount', { amount: 40_000 }, '400 INR'],
  ['in another currency', { currency: 'USD' }, '500 USD'],
])('does not credit a payment %s and reports it until it is refunded', async (_, more, sum) => {
  const mismatched = payment('mismatched', more)
  const polled = await poll([mismatched])
  expect(polled.last_error).toMatch(
    new RegExp(`^${mismatched.id} is ${sum} instead of the ordered .*500.*\\. It was not credited\\.$`),
  )
  expect(polled).toMatchObject({ paid_at: null, credited: [] })
  const back = (amount: number) => ({
    id: `rfnd_${count}_${amount}`,
    amount,
    at: reconciler.timeAfter(-5),
    ...PROCESSED,
  })
  const half = { ...mismatched, refunds: [back(mismatched.amount - 1)] }
  expect((await poll([half])).last_error).not.toBeNull()
  const whole = { ...mismatched, refunds: [back(mismatched.amount - 1), back(1)] }
  expect((await poll([whole])).last_error).toBeNull()
  expect(await credits()).toEqual([])
})

test('reports a payment that was manually entered with another amount', async () => {
  const one = payment('one')
  const entry = { particular: 'By hand', amount: paise(49_999), date: new Date(), source: 'manual' } as const
  await portal.app.db
    .transaction()
    .execute((tx) =>
      addEntry(tx, { ...entry, organisation, kind: 'payment', reference: one.id, by: 'root@portal.test' }),
    )
  expect((await poll([one])).last_error).toBe(`${one.id} was entered manually with another amount.`)
  expect(await credits()).toEqual([['one', 49_999]])
})

test('captures an authorised payment once, if it matches the order and nothing was captured', async () => {
  const [wrong, right] = [
    payment('wrong', { state: 'authorised', amount: 1 }),
    payment('right', { state: 'authorised' }),
  ]
  const after = await poll([wrong, right], [wrong, { ...right, state: 'captured' }])
  expect(after).toMatchObject({ captures: [right.id], credited: [right.id] })
  expect((await poll([payment('more', { state: 'authorised' }), { ...right, state: 'captured' }])).captures).toEqual([])
  expect((await poll([wrong])).captures).toEqual([])
})

test('polls immediately after an event, but keeps the retry delay of a failed poll', async () => {
  await reconciler.change<PaymentRow>('payment', id, { reconcile_at: reconciler.timeAfter(500) })
  const due = () => portal.owner.transaction().execute((tx) => makePaymentDue(tx, order))
  await due()
  expect(await reconciler.row<PaymentRow>('payment', id)).toMatchObject({ pause: 0, generation: 1 })
  await reconciler.change<PaymentRow>('payment', id, { reconcile_at: reconciler.timeAfter(40), attempts: 1 })
  await due()
  expect(await reconciler.row<PaymentRow>('payment', id)).toMatchObject({ pause: 40, generation: 2 })
})

test.each([
  ['a fee paid by the customer', 51_180],
  ['an offer', 45_000],
])(
  'credits the captured amount if it differs from the order because of %s, once the provider reports the order as paid',
  async (_, amount) => {
    const other = payment('other', { amount })
    expect((await poll([other])).last_error).toMatch(/instead of the ordered ₹500\.00\. It was not credited/)
    expect(await credits()).toEqual([])
    orderPaid = true
    expect((await poll([other])).last_error).toBeNull()
    expect(await ledger()).toMatchObject([
      { amount, particular: 'Online payment of an order of ₹500.00 (fee or offer)' },
    ])
  },
)

test('credits no different amount if the order is paid and several payments were captured', async () => {
  orderPaid = true
  expect((await poll([payment('right'), payment('wrong', { amount: 100 })])).last_error).toMatch(/not credited/)
  expect(await credits()).toEqual([['right', 50_000]])
})

test('does not credit a payment in a different currency, even if the order is paid', async () => {
  orderPaid = true
  expect((await poll([payment('dollars', { amount: 100, currency: 'USD' })])).last_error).toMatch(/not credited/)
  expect(await credits()).toEqual([])
})

test('dates a payment by the supplier’s day, not by the customer’s', async () => {
  await sql`update organisation set time_zone = 'America/New_York' where id = ${organisation}`.execute(portal.owner)
  await poll([payment('late', { at: new Date('2026-03-31T20:00:00Z') })])
  const { rows } = await sql`select date from ledger_entry where organisation_id = ${organisation}`.execute(
    portal.owner,
  )
  expect(rows).toEqual([{ date: '2026-04-01' }])
})
