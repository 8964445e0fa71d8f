/** @module-tag full */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { BudgetAlert } from '../contract/budget.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { spentSince } from './spent.ts'

const env = await sharedEnvironment()
// Starts in the morning of a day well before the end of the month in India, so that the clock stays in that month.
while (env.now().getUTCDate() > 24) await env.step(24 * 3600)
await env.stepToHour(6)
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const root = await env.signIn('superadmin', 'root@portal.test', null)
await env.worker()

/** Two machines at ₹12.50 per hour each plus ₹5 each for browser access: ₹35 per hour. */
const HOUR = 3_500
const settled = (training: string, status: string) =>
  until(
    `${training} is ${status}`,
    () => machinesOf(admin, training),
    (machines) => machines.length > 0 && machines.every((machine) => machine.status === status),
  )
async function course(training: string, more: object = {}): Promise<void> {
  await admin('POST', '/azure/machines', order(training, people(2), more))
  await settled(training, 'Running')
}
const power = async (training: string, operation: 0 | 1) => {
  const places = (await machinesOf(admin, training)).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
  return admin('PATCH', '/azure/machines', [{ operation }, ...places])
}
const set = (body: object) => admin('POST', '/budgets', { spendingCap: false, ...body })
const listed = async (training: string) =>
  (await admin('GET', '/budgets')).body.trainings.find((one: { trainingName: string }) => one.trainingName === training)
const alerts = async (): Promise<BudgetAlert[]> => (await admin('GET', '/budgets/alerts')).body.alerts
const alertsOf = async (training: string, kind = 'budget') => {
  const { rows } = await sql<{ percent: number }>`
    select percent from budget_alert a join training t on t.id = a.training_id
    where t.name = ${training} and kind = ${kind} order by at, percent`.execute(env.db)
  return rows.map(({ percent }) => percent)
}
const mailsAbout = async (text: string) => {
  const { body } = await env.control('GET', '/_truth?part=mails')
  return (body.mails as { subject: string; text: string; to: string }[]).filter(({ subject }) => subject.includes(text))
}
const alerted = (training: string, percents: readonly number[], kind = 'budget') =>
  until(
    `${training} has its alerts`,
    () => alertsOf(training, kind),
    (seen) => seen.join() === percents.join(),
  )

describe('training budget', () => {
  test('alerts its admins once per threshold by e-mail and on screen, and stops nothing without a cap', async () => {
    await course('Alerted')
    expect((await set({ trainingName: 'Alerted', amount: (HOUR * 10) / 100 })).body.message).toBe(
      'The budget of Alerted is ₹350.00.',
    )
    await env.step(5 * 3600)
    await alerted('Alerted', [50])
    await env.step(3.2 * 3600)
    await alerted('Alerted', [50, 80])
    await env.step(2 * 3600)
    await alerted('Alerted', [50, 80, 90, 100])
    await env.step(3600)
    const mails = await until(
      'three mails',
      () => mailsAbout('Budget of Alerted'),
      (all) => all.length >= 3,
    )
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      'Budget of Alerted: 100 % used',
      'Budget of Alerted: 50 % used',
      'Budget of Alerted: 80 % used',
    ])
    const alert = (await alerts()).find(({ trainingName }) => trainingName === 'Alerted')
    expect(alert).toMatchObject({ kind: 'budget', percent: 100, total: HOUR * 10 })
    // The used part is the current one, not that of the time of the alert.
    expect(alert!.used).toBeGreaterThan(HOUR * 11)
    // The alert is hidden while the budget is raised and shown again when it is lowered.
    const amounts = [
      [HOUR * 200, []],
      [HOUR * 10, [100]],
    ] as const
    for (const [amount, shown] of amounts) {
      await set({ trainingName: 'Alerted', amount: amount / 100 })
      const of = (await alerts()).filter(({ trainingName, total }) => trainingName === 'Alerted' && total === HOUR * 10)
      expect(of.map(({ percent }) => percent)).toEqual(shown)
    }
    expect((await admin('POST', '/budgets/alerts/seen', { _id: alert!._id })).status).toBe(200)
    expect((await alerts()).map(({ trainingName }) => trainingName)).not.toContain('Alerted')
    expect((await settled('Alerted', 'Running')).length).toBe(2)
    const { rows } = await sql`select from audit where call = 'budget.alert' and organisation_id = ${acme}`.execute(
      env.db,
    )
    expect(rows).toHaveLength(3)
  })

  test('with a spending cap stops its machines and refuses orders, starts and schedules with the reason', async () => {
    await course('Capped')
    await set({ trainingName: 'Capped', amount: (HOUR * 2) / 100, spendingCap: true })
    expect((await listed('Capped')).budget).toMatchObject({ amountPaise: HOUR * 2, spendingCap: true, usedUp: false })
    await env.step(2 * 3600)
    await settled('Capped', 'Stopped')
    const why = 'The budget of Capped is used up: machines stay off until the budget is raised.'
    const refused = { status: 409, body: { message: why } }
    expect((await machinesOf(admin, 'Capped')).map(({ spendingCapReason }) => spendingCapReason)).toEqual([why, why])
    expect(await power('Capped', 1)).toMatchObject(refused)
    expect(await admin('POST', '/azure/machines', order('Capped', ['new@acme.test']))).toMatchObject(refused)
    const { body } = await admin('GET', '/azure/billing?trainingName=Capped')
    expect(body.Amount * 100).toBeLessThan(HOUR * 2 + (HOUR * 60) / 3600)

    const at = new Date(env.now().getTime() + 5.5 * 3600_000 + 120_000).toISOString()
    const schedules = [{ date: at.slice(0, 10), time: at.slice(11, 16), action: 'Start', status: 'Pending' }]
    const restrictLogin = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }
    await admin('POST', '/azure/schedules', { trainingName: 'Capped', data: { schedules, restrictLogin } })
    await env.step(150)
    const [schedule] = await until(
      'it fired',
      async () => (await admin('GET', '/azure/schedules?trainingName=Capped')).body.schedules,
      ([one]) => one?.status === 'Completed',
    )
    expect(schedule.result).toMatchObject({ failed: 2 })
    await settled('Capped', 'Stopped')

    // A machine that was started at the provider is set to desired running and must be stopped again.
    await sql`update machine set desired = 'running' where name = ${(await machinesOf(admin, 'Capped'))[0]!.name}`.execute(
      env.db,
    )
    await until(
      'it must stop again',
      () =>
        sql<{ n: number }>`select count(*)::int as n from machine m join training t on t.id = m.training_id
        where t.name = 'Capped' and desired = 'running'`.execute(env.db),
      ({ rows }) => rows[0]!.n === 0,
    )
    await set({ trainingName: 'Capped', amount: 1_000, spendingCap: true })
    expect((await machinesOf(admin, 'Capped')).map(({ spendingCapReason }) => spendingCapReason)).toEqual([null, null])
    expect((await power('Capped', 1)).status).toBe(200)
    await settled('Capped', 'Running')
    await admin('DELETE', '/budgets', { trainingName: 'Capped' })
    expect((await listed('Capped')).budget).toBeNull()
  })

  test('alerts about a quota at 80, 90 and 100 %', async () => {
    await course('Hours', { allocatedHours: 600 })
    await env.step(8.1 * 3600)
    await alerted('Hours', [80], 'quota')
    await env.step(2 * 3600)
    await alerted('Hours', [80, 90, 100], 'quota')
    const mails = await until(
      'two mails',
      () => mailsAbout('Quota of Hours'),
      (all) => all.length === 2,
    )
    expect(mails.map(({ subject }) => subject).toSorted()[0]).toBe('Quota of Hours: 100 % used')
  })
})

describe('organisation budget', () => {
  test(
    'is monthly: its spending cap ends with the month, and the months add up to the bills',
    { tags: ['storm'] },
    async () => {
      await power('Alerted', 0)
      await power('Capped', 0)
      await settled('Alerted', 'Stopped')
      await settled('Capped', 'Stopped')
      const spent = async () => (await admin('GET', '/budgets')).body.whole.spentPaise as number
      const before = await spent()
      await set({ amount: Math.ceil(before / 100) + 1, spendingCap: true })
      expect((await power('Alerted', 1)).status).toBe(200)
      await settled('Alerted', 'Running')
      await env.step(3600)
      await settled('Alerted', 'Stopped')
      const why =
        /^This month’s budget of Acme is used up: machines stay off until the budget is raised or the month ends\.$/
      expect(await power('Alerted', 1)).toMatchObject({ status: 409, body: { message: expect.stringMatching(why) } })
      const another = await admin('POST', '/azure/machines', order('Another', ['new@acme.test']))
      expect(another).toMatchObject({ status: 409, body: { message: expect.stringMatching(why) } })

      const wholeAlerts = async () => (await alerts()).filter(({ trainingName }) => trainingName === null)
      expect(await wholeAlerts()).toMatchObject([{ kind: 'budget', percent: 100 }])

      const month = (await admin('GET', '/budgets')).body.month
      const first = await spent()
      await env.step(31 * 24 * 3600)
      await until(
        'another month',
        async () => (await admin('GET', '/budgets')).body,
        (body) => body.month !== month && !body.whole.budget.usedUp,
      )
      expect(await wholeAlerts()).toEqual([])
      expect((await power('Alerted', 1)).status).toBe(200)
      await settled('Alerted', 'Running')
      await env.step(1800)
      await power('Alerted', 0)
      await settled('Alerted', 'Stopped')
      const all = await spentSince(env.db, acme, new Date(0))
      expect((await spent()) + first).toBe(all)
      expect(await spent()).toBeGreaterThan(0)
      expect(env.bugs).toEqual([])
      expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
    },
  )

  test('is accessible to its own admins and to superadmins, and rejects invalid values', async () => {
    expect((await root('GET', '/budgets?organization=Acme')).body.organization).toBe('Acme')
    expect((await root('GET', '/budgets')).status).toBe(400)
    for (const wrong of [0, -1, 1.234, '5']) expect((await set({ amount: wrong })).status).toBe(400)
    expect((await set({ amount: 5, trainingName: 'Nothing' })).status).toBe(404)
    expect((await admin('DELETE', '/budgets', { trainingName: 'Alerted' })).status).toBe(200)
    expect((await admin('DELETE', '/budgets', { trainingName: 'Alerted' })).status).toBe(409)
  })
})
