/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { credit } from '../contract/credit.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { startRefusals } from '@trainyard/machines/server/may-start.ts'
import { applyOverduePolicy } from './overdue.ts'

type PrepaidState = ReplyOf<typeof credit.read>

const env = await sharedEnvironment()
while (env.now().getUTCDate() > 20) await env.step(24 * 3600)
await env.stepToHour(6)
const root = await env.signIn('superadmin', 'root@portal.test', null)
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await env.worker()

/** Rate of two machines at ₹12.50 per hour each, plus ₹5 each for browser access. */
const PAISE_PER_HOUR = 3_500
const today = () => env.now().toISOString().slice(0, 10)
const settled = (training: string, status: string) =>
  until(
    `${training} is ${status}`,
    () => machinesOf(admin, training),
    (machines) => machines.length > 0 && machines.every((machine) => machine.status === status),
  )
async function course(training: string): Promise<void> {
  await admin('POST', '/azure/machines', order(training, people(2)))
  await settled(training, 'Running')
}
const power = async (training: string, operation: 0 | 1) => {
  const places = (await machinesOf(admin, training)).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
  return admin('PATCH', '/azure/machines', [{ operation }, ...places])
}
const state = async (): Promise<PrepaidState> => (await admin('GET', '/admin/credit')).body
const accountOf = async (trainingName: string | null) =>
  (await state()).accounts.find((each) => each.trainingName === trainingName)!
const setAccount = (body: object) =>
  root('POST', '/admin/credit/account', { organization: 'Acme', hardLimit: true, low: 0, validDays: null, ...body })
const buy = (id: string, amount: number, more: object = {}) =>
  root('POST', '/admin/credit/purchases', { organization: 'Acme', id, amount, date: today(), ...more })
const setTerms = (body: object) =>
  root('POST', '/admin/credit/terms', {
    organization: 'Acme',
    limitEnforced: false,
    overdue: null,
    pausedUntil: null,
    ...body,
  })
const enter = (type: 'invoice' | 'payment', id: string, amount: number, date = today()) =>
  root('POST', '/admin/ledger/addTransaction', { organization: 'Acme', type, id, amount, date })
const mailsAbout = async (text: string) => {
  const { body } = await env.control('GET', '/_truth?part=mails')
  return (body.mails as { subject: string; text: string }[]).filter(({ subject }) => subject.includes(text))
}
const isEven = async () => {
  const { body } = await root('GET', `/admin/ledger/trial-balance?on=${today()}`)
  return body.debitPaise === body.creditPaise
}

describe('prepaid credit of a training', () => {
  test('runs out at the forecast time, stops its machines, refuses starts and orders, and continues after a purchase', async () => {
    await course('Prepaid')
    expect(await setAccount({ trainingName: 'Prepaid', low: 10 })).toMatchObject({ status: 200 })
    await settled('Prepaid', 'Stopped')
    const why = 'The prepaid credit of Prepaid is used up: machines stay off until an admin buys more.'
    const refused = { status: 409, body: { message: why } }
    expect((await machinesOf(admin, 'Prepaid'))[0]!.spendingCapReason).toBe(why)
    expect(await power('Prepaid', 1)).toMatchObject(refused)
    expect(await admin('POST', '/azure/machines', order('Prepaid', ['new@acme.test']))).toMatchObject(refused)

    expect((await buy('CREDIT-1', 70, { trainingName: 'Prepaid' })).body).toEqual({
      message: 'Payment CREDIT-1 recorded as prepaid credit.',
    })
    expect(await buy('CREDIT-1', 70, { trainingName: 'Prepaid' })).toMatchObject({ status: 409 })
    expect((await admin('GET', '/azure/outlook?trainingName=Prepaid')).body.credit).toEqual({
      kind: 'prepaid',
      leftPaise: (await accountOf('Prepaid')).leftPaise,
      countsUsage: true,
    })
    expect((await admin('GET', '/azure/outlook')).body.credit).toMatchObject({ kind: 'limit', countsUsage: true })
    const { status } = await power('Prepaid', 1)
    expect(status).toBe(200)
    await settled('Prepaid', 'Running')
    const { runsOutAt, leftPaise, paisePerHour, boughtPaise, usedPaise } = await accountOf('Prepaid')
    expect([boughtPaise, paisePerHour, leftPaise]).toEqual([7_000, PAISE_PER_HOUR, 7_000 - usedPaise])
    const forecast = new Date(runsOutAt!).getTime()

    await env.step((forecast - env.now().getTime()) / 1000 - 900)
    await until(
      'low mail',
      () => mailsAbout('Prepaid credit of Prepaid: ₹'),
      (mails) => mails.length === 1,
    )
    expect((await accountOf('Prepaid')).isLow).toBe(true)
    expect((await machinesOf(admin, 'Prepaid')).map((machine) => machine.status)).toEqual(['Running', 'Running'])
    expect(Math.abs(new Date((await accountOf('Prepaid')).runsOutAt!).getTime() - forecast)).toBeLessThan(60_000)
    await env.step((forecast - env.now().getTime()) / 1000 + 1)
    await settled('Prepaid', 'Stopped')
    await until(
      'used up mail',
      () => mailsAbout('Prepaid credit of Prepaid: used up'),
      (mails) => mails.length === 2,
    )
    const after = await accountOf('Prepaid')
    expect([after.isUsedUp, after.runsOutAt]).toEqual([true, null])
    // Stopping the machines takes less than a minute of usage.
    expect(-after.leftPaise).toBeLessThan(PAISE_PER_HOUR / 60)
    expect(await power('Prepaid', 1)).toMatchObject(refused)
    expect(await isEven()).toBe(true)
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  })

  test('counts only the part of a payment that exceeds the debts of the organisation, and less after a reversal of the payment', async () => {
    await enter('invoice', 'OLD-1', 100)
    const { balancePaise } = (await state()).limit
    expect(balancePaise).toBe(10_000 - 7_000)
    expect((await buy('CREDIT-2', 100, { trainingName: 'Prepaid' })).body.message).toBe(
      'Payment CREDIT-2 recorded. ₹70.00 of it are prepaid credit, the rest settles what is owed.',
    )
    expect((await accountOf('Prepaid')).boughtPaise).toBe(14_000)
    expect((await accountOf('Prepaid')).isUsedUp).toBe(false)
    const reversal = { organization: 'Acme', kind: 'payment', id: 'CREDIT-2', reason: 'Bounced', date: today() }
    expect(await root('POST', '/admin/ledger/reverse', reversal)).toMatchObject({ status: 200 })
    await until(
      'it is used up again',
      () => accountOf('Prepaid'),
      ({ isUsedUp }) => isUsedUp,
    )
    expect((await accountOf('Prepaid')).boughtPaise).toBe(7_000)
    await enter('payment', 'CREDIT-2b', 30)
    expect(await isEven()).toBe(true)
  })

  test('is evaluated again after a refund of a payment', async () => {
    await expect(
      env.db.transaction().execute(async (tx) => {
        await sql`update prepaid_account set judge_at = 'infinity'`.execute(tx)
        const entry = {
          organisation: acme,
          particular: 'Test',
          amount: paise(100),
          source: 'manual',
          by: 'test',
        } as const
        await addEntry(tx, { ...entry, kind: 'payment', reference: 'RETURN-1', date: today() })
        const isDue = sql<boolean>`bool_or(judge_at = portal_now())`.as('due')
        const dueAfter = async () =>
          (await tx.selectFrom('prepaid_account').select(isDue).executeTakeFirstOrThrow()).due
        expect(await dueAfter()).toBe(false)
        const refund = { kind: 'refund', reference: 'RETURN-2', refundOf: 'RETURN-1', date: today() } as const
        await addEntry(tx, { ...entry, ...refund })
        expect(await dueAfter()).toBe(true)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
  })

  test('keeps the hard limit of the organisation when a little credit is bought for a training', async () => {
    await setAccount({})
    expect((await buy('CREDIT-3', 1, { trainingName: 'Prepaid' })).status).toBe(200)
    await sql`insert into training (organisation_id, name) values (${acme}, 'Other')`.execute(env.db)
    expect((await buy('CREDIT-4', 1, { trainingName: 'Other' })).status).toBe(200)
    expect(await accountOf('Other')).toMatchObject({ hardLimit: true, boughtPaise: 100 })
    await setAccount({ hardLimit: false })
  })
})

test('refuses orders and starts at the credit limit where it is enforced, and allows them after a payment', async () => {
  await setAccount({ trainingName: 'Prepaid', hardLimit: false })
  await root('PATCH', '/admin/organization/profile', { organization: 'Acme', creditLimit: 500 })
  await enter('invoice', 'LIMIT-1', 1_000)
  expect((await state()).limit).toMatchObject({ enforced: false, isReached: true, limitPaise: 50_000 })
  expect(await power('Prepaid', 1)).toMatchObject({ status: 200 })
  await settled('Prepaid', 'Running')
  await setTerms({ limitEnforced: true })
  const message =
    'Acme has reached its credit limit: no machines can be ordered or started until an invoice is paid or the limit is raised.'
  expect(await admin('POST', '/azure/machines', order('Limited', people(1)))).toMatchObject({
    status: 409,
    body: { message },
  })
  await power('Prepaid', 0)
  await settled('Prepaid', 'Stopped')
  expect(await power('Prepaid', 1)).toMatchObject({ status: 409, body: { message } })
  const learner = await env.signIn('user', people(1)[0]!, acme)
  const { name, resourceGroup } = (await machinesOf(learner, 'Prepaid'))[0]!
  for (const path of ['/azure/machines', '/azure/machinesRestart']) {
    const body = [...(path === '/azure/machines' ? [{ operation: 1 }] : []), { name, resourceGroup }]
    const { status, body: reply } = await learner('PATCH', path, body)
    expect([status, reply.message]).toEqual([409, expect.not.stringMatching(/credit limit|invoice/)])
  }
  await enter('payment', 'LIMIT-P1', 1_000)
  expect(await power('Prepaid', 1)).toMatchObject({ status: 200 })
  await settled('Prepaid', 'Running')
  await setTerms({})
})

test(
  'warns of an overdue invoice, holds orders, stops machines at night, and ends all of it with the payment',
  { tags: ['storm'] },
  async () => {
    const daysAgo = (days: number) => new Date(env.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
    await root('PATCH', '/admin/supplier', { paymentDays: 15, warnDays: 1, holdDays: 3, stopDays: 5 })
    expect((await root('PATCH', '/admin/supplier', { holdDays: 9 })).body.message).toBe(
      'The steps for overdue invoices must begin in the order warn, hold, stop.',
    )
    await enter('invoice', 'LATE-1', 5_000, daysAgo(19))
    const { overdue } = await state()
    expect(overdue).toMatchObject({ stage: 'hold', isOwn: false, invoice: { number: 'LATE-1' } })
    await applyOverduePolicy(env.parts.db, env.parts.jobQueue)
    await until(
      'mail',
      () => mailsAbout('Overdue invoice LATE-1'),
      (mails) => mails.length > 0,
    )
    expect((await admin('POST', '/azure/machines', order('Held', people(1)))).body.message).toMatch(
      /^New orders of Acme are on hold, because invoice LATE-1 was due on/,
    )
    const { name: templateName } = (await admin('GET', '/azure/registrationLinks?trainingName=Prepaid')).body
      .templates[0] as { name: string }
    const open = { opensAt: null, closesAt: null, domains: [], needsApproval: false }
    const machine = { templateName, allocatedHours: 60, guacamole: false }
    await admin('POST', '/azure/registrationLinks', {
      trainingName: 'Prepaid',
      name: 'Open',
      seats: 2,
      ...open,
      machine,
    })
    const { code } = (await admin('GET', '/azure/registrationLinks?trainingName=Prepaid')).body.links[0] as {
      code: string
    }
    const visitor = await env.signIn('user', 'visitor@acme.test', acme)
    expect(await visitor('POST', '/registration/seat', { code, name: 'Visitor' })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/: Acme cannot order machines at the moment\./) },
    })
    // The organisation's number of days replaces the portal's. A pause suspends them.
    await setTerms({ overdue: { warnDays: 1, holdDays: 2, stopDays: 4 }, pausedUntil: today() })
    expect((await state()).overdue).toMatchObject({ stage: null, isOwn: true, stopDays: 4 })
    await setTerms({ overdue: { warnDays: 1, holdDays: 2, stopDays: 4 } })
    expect((await state()).overdue.stage).toBe('stop')
    // 22:00 in India is 16:30 UTC.
    await applyOverduePolicy(env.parts.db, env.parts.jobQueue)
    expect((await machinesOf(admin, 'Prepaid'))[0]!.status).toBe('Running')
    await env.stepToHour(17)
    await applyOverduePolicy(env.parts.db, env.parts.jobQueue)
    await settled('Prepaid', 'Stopped')
    expect(await power('Prepaid', 1)).toMatchObject({
      status: 409,
      body: { message: 'Machines of Acme stay off until its overdue invoices are paid.' },
    })
    await enter('payment', 'LATE-P', 5_000)
    // A scheduled start lifts the stop too. Otherwise the task would stop the machines again.
    const training = await env.parts.db.selectFrom('training').select('id').where('name', '=', 'Prepaid').execute()
    const refusals = (tx: Tx) =>
      startRefusals(
        tx,
        training.map(({ id }) => id),
      )
    expect((await env.parts.db.transaction().execute(refusals)).size).toBe(0)
    expect((await sql`select from overdue_stop`.execute(env.parts.db)).rows).toHaveLength(0)
    expect(await power('Prepaid', 1)).toMatchObject({ status: 200 })
    await settled('Prepaid', 'Running')
    expect((await state()).overdue.stage).toBe(null)
  },
)

test('admins can change only the alert, and other organisations can neither see nor change the credit', async () => {
  const globex = await env.organisation('Globex')
  const other = await env.signIn('admin', 'admin@globex.test', globex)
  const account = { organization: 'Acme', hardLimit: false, low: 0, validDays: null }
  for (const ask of [admin, other]) {
    expect((await ask('POST', '/admin/credit/account', account)).status).toBe(403)
    expect(
      (await ask('POST', '/admin/credit/purchases', { organization: 'Acme', id: 'X', amount: 1, date: today() }))
        .status,
    ).toBe(403)
  }
  expect((await other('GET', '/admin/credit?organization=Acme')).status).toBe(404)
  expect((await other('POST', '/admin/credit/alert', { organization: 'Acme', low: 5 })).status).toBe(404)
  expect((await other('POST', '/admin/credit/alert', { low: 5 })).status).toBe(404)
  expect((await admin('POST', '/admin/credit/alert', { trainingName: 'Prepaid', low: 12.5 })).status).toBe(200)
  expect((await accountOf('Prepaid')).lowPaise).toBe(1_250)
})

test('an online payment buys credit before tax, only once if it is reported again, and only for trainings of the organisation', async () => {
  await root('PATCH', '/admin/supplier', { rates: [{ from: '2017-07-01', basisPoints: 1_800 }] })
  const ask = (trainingName: string | null) =>
    admin('POST', '/admin/ledger/order', { amount: 118, prepaid: { trainingName } })
  expect((await ask('Training of Globex')).status).toBe(404)
  const ordered = (await ask('Prepaid')).body as { order_id: string; amount: number }
  const { body } = await env.control('POST', '/_payments', { order_id: ordered.order_id })
  const { payment_id, order_id, signature } = body as { payment_id: string; order_id: string; signature: string }
  const proof = { payment_id, order_id, signature, amount: ordered.amount }
  const replies = await Promise.all([0, 1, 2].map(() => admin('POST', '/admin/ledger/paymentVerify', proof)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  const { purchases } = await accountOf('Prepaid')
  expect(purchases.filter(({ payment }) => payment === payment_id)).toMatchObject([
    { grossPaise: 11_800, creditPaise: 10_000, expiresAt: null },
  ])
  expect(await isEven()).toBe(true)
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
})

test('lets credit expire at the end of its last day, and reports what was unused', async () => {
  await power('Prepaid', 0)
  await settled('Prepaid', 'Stopped')
  await buy('CREDIT-8', 1_180, { trainingName: 'Prepaid' })
  await setAccount({ trainingName: 'Prepaid', hardLimit: false, validDays: 2 })
  const before = await accountOf('Prepaid')
  await buy('CREDIT-9', 59, { trainingName: 'Prepaid' })
  const { leftPaise, purchases } = await accountOf('Prepaid')
  expect(leftPaise).toBe(before.leftPaise + 5_000)
  const { expiresAt } = purchases.find(({ payment }) => payment === 'CREDIT-9')!
  await env.step((new Date(expiresAt!).getTime() - env.now().getTime()) / 1000 + 1)
  const after = await accountOf('Prepaid')
  expect(after.purchases.find(({ payment }) => payment === 'CREDIT-9')?.expiredPaise).toBe(5_000)
  expect(after.leftPaise).toBe(before.leftPaise)
  await until(
    'it is stored',
    () => sql`select from prepaid_purchase where expired_paise = 5000`.execute(env.db),
    ({ rows }) => rows.length === 1,
  )
})
