import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { BudgetAlert } from '@trainyard/contract/calls/budget.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import { machinesOf, order, people } from '#test/orders.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { until } from '#test/until.ts'
import { spentSince } from './spent.ts'

const env = await sharedEnvironment()
// A day that is no month's last in India, from the morning on: hours that pass here stay in the month.
while (env.now().getUTCDate() > 24) await env.step(24 * 3600)
await env.stepToHour(6)
const acme = await env.organisation('Acme')
const admin = await env.as('admin', 'admin@acme.test', acme)
const root = await env.as('superadmin', 'root@portal.test', null)
await env.worker()

/** Two machines at ₹12.50 an hour each, with ₹5 for the browser: ₹35 an hour. */
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
const set = (body: object) => admin('POST', '/budgets', { leash: false, lastDay: null, ...body })
const listed = async (training: string) =>
  (await admin('GET', '/budgets')).body.trainings.find((one: { trainingName: string }) => one.trainingName === training)
const alerts = async (): Promise<BudgetAlert[]> => (await admin('GET', '/budgets/alerts')).body.alerts
const alertsOf = async (training: string, kind = 'budget') => {
  const { rows } = await sql<{ percent: number }>`
    select percent from budget_alert a join training t on t.id = a.training_id
    where t.name = ${training} and kind = ${kind} order by at, percent`.execute(env.db)
  return rows.map(({ percent }) => percent)
}
const mailsAbout = async (words: string) => {
  const { body } = await env.control('GET', '/_truth?part=mails')
  return (body.mails as { subject: string; text: string; to: string }[]).filter(({ subject }) =>
    subject.includes(words),
  )
}
const told = (training: string, percents: readonly number[], kind = 'budget') =>
  until(
    `${training} is told`,
    () => alertsOf(training, kind),
    (seen) => seen.join() === percents.join(),
  )

describe('a budget of a training', () => {
  test('tells its admins at each part once, by mail and on screen, and stops nothing without a leash', async () => {
    await course('Told')
    expect((await set({ trainingName: 'Told', amount: (HOUR * 10) / 100 })).body.message).toBe(
      'The budget of Told is ₹350.00.',
    )
    await env.step(5 * 3600)
    await told('Told', [50])
    await env.step(3.2 * 3600)
    await told('Told', [50, 80])
    // Two parts at one look: both are written down, and the higher is mailed.
    await env.step(2 * 3600)
    await told('Told', [50, 80, 90, 100])
    await env.step(3600)
    const mails = await until(
      'three mails',
      () => mailsAbout('Budget of Told'),
      (all) => all.length >= 3,
    )
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      'Budget of Told: 100 % used',
      'Budget of Told: 50 % used',
      'Budget of Told: 80 % used',
    ])
    const alert = (await alerts()).find(({ trainingName }) => trainingName === 'Told')
    expect(alert).toMatchObject({ kind: 'budget', percent: 100, total: HOUR * 10 })
    // Raised, it is no longer used up; set back, it is again.
    const amounts = [
      [HOUR * 200, []],
      [HOUR * 10, [100]],
    ] as const
    for (const [amount, shown] of amounts) {
      await set({ trainingName: 'Told', amount: amount / 100 })
      const of = (await alerts()).filter(({ trainingName, total }) => trainingName === 'Told' && total === HOUR * 10)
      expect(of.map(({ percent }) => percent)).toEqual(shown)
    }
    expect((await admin('POST', '/budgets/alerts/seen', { _id: alert!._id })).status).toBe(200)
    expect((await alerts()).map(({ trainingName }) => trainingName)).not.toContain('Told')
    expect((await settled('Told', 'Running')).length).toBe(2)
    const { rows } = await sql`select from audit where call = 'budget.alert' and organisation_id = ${acme}`.execute(
      env.db,
    )
    expect(rows).toHaveLength(3)
  })

  test('with a leash stops its machines, and refuses orders, starts, restarts and schedules with the sentence why', async () => {
    await course('Leashed')
    await set({ trainingName: 'Leashed', amount: (HOUR * 2) / 100, leash: true })
    expect((await listed('Leashed')).budget).toMatchObject({ amountPaise: HOUR * 2, leash: true, usedUp: false })
    await env.step(2 * 3600)
    await settled('Leashed', 'Stopped')
    const why = 'The budget of Leashed is used up: machines stay off until it is raised.'
    const refused = { status: 409, body: { message: why } }
    expect((await machinesOf(admin, 'Leashed')).map(({ leash }) => leash)).toEqual([why, why])
    expect(await power('Leashed', 1)).toMatchObject(refused)
    expect(await admin('POST', '/azure/machines', order('Leashed', ['new@acme.test']))).toMatchObject(refused)
    const { body } = await admin('GET', '/azure/billing?trainingName=Leashed')
    // Two machines, each up to a minute later than the limit.
    expect(body.Amount * 100).toBeLessThan(HOUR * 2 + (HOUR * 60) / 3600)

    const at = new Date(env.now().getTime() + 5.5 * 3600_000 + 120_000).toISOString()
    const schedules = [{ date: at.slice(0, 10), time: at.slice(11, 16), action: 'Start', status: 'Pending' }]
    const restrictLogin = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }
    await admin('POST', '/azure/schedules', { trainingName: 'Leashed', data: { schedules, restrictLogin } })
    await env.step(150)
    const [schedule] = await until(
      'it fired',
      async () => (await admin('GET', '/azure/schedules?trainingName=Leashed')).body.schedules,
      ([one]) => one?.status === 'Completed',
    )
    expect(schedule.result).toMatchObject({ failed: 2 })
    await settled('Leashed', 'Stopped')

    // A machine that somebody started at the provider is adopted, and told to stop again.
    await sql`update machine set desired = 'running' where name = ${(await machinesOf(admin, 'Leashed'))[0]!.name}`.execute(
      env.db,
    )
    await until(
      'it is to stop again',
      () =>
        sql<{ n: number }>`select count(*)::int as n from machine m join training t on t.id = m.training_id
        where t.name = 'Leashed' and desired = 'running'`.execute(env.db),
      ({ rows }) => rows[0]!.n === 0,
    )
    await set({ trainingName: 'Leashed', amount: 1_000, leash: true })
    expect((await machinesOf(admin, 'Leashed')).map(({ leash }) => leash)).toEqual([null, null])
    expect((await power('Leashed', 1)).status).toBe(200)
    await settled('Leashed', 'Running')
    await admin('DELETE', '/budgets', { trainingName: 'Leashed' })
    expect((await listed('Leashed')).budget).toBeNull()
  })

  test('a quota is told of at 80, 90 and 100 %', async () => {
    await course('Hours', { allocatedHours: 600 })
    await env.step(8.1 * 3600)
    await told('Hours', [80], 'quota')
    await env.step(2 * 3600)
    await told('Hours', [80, 90, 100], 'quota')
    const mails = await until(
      'two mails',
      () => mailsAbout('Quota of Hours'),
      (all) => all.length === 2,
    )
    expect(mails.map(({ subject }) => subject).toSorted()[0]).toBe('Quota of Hours: 100 % used')
  })
})

describe('a budget of an organisation', () => {
  test('is of each month: its leash lets go when another begins, and months add up to the bills', async () => {
    await power('Told', 0)
    await power('Leashed', 0)
    await settled('Told', 'Stopped')
    await settled('Leashed', 'Stopped')
    const spent = async () => (await admin('GET', '/budgets')).body.whole.spentPaise as number
    const before = await spent()
    await set({ amount: Math.ceil(before / 100) + 1, leash: true })
    expect((await power('Told', 1)).status).toBe(200)
    await settled('Told', 'Running')
    await env.step(3600)
    await settled('Told', 'Stopped')
    const why = /^This month’s budget of Acme is used up: machines stay off until it is raised or the month is over\.$/
    expect(await power('Told', 1)).toMatchObject({ status: 409, body: { message: expect.stringMatching(why) } })
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
    expect((await power('Told', 1)).status).toBe(200)
    await settled('Told', 'Running')
    await env.step(1800)
    await power('Told', 0)
    await settled('Told', 'Stopped')
    const all = await spentSince(env.db, acme, new Date(0))
    expect((await spent()) + first).toBe(all)
    expect(await spent()).toBeGreaterThan(0)
    expect(env.bugs).toEqual([])
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  })

  test('is set and read by its own admins and superadmins; what is not a budget is refused', async () => {
    expect((await root('GET', '/budgets?organization=Acme')).body.organization).toBe('Acme')
    expect((await root('GET', '/budgets')).status).toBe(400)
    for (const wrong of [0, -1, 1.234, '5']) expect((await set({ amount: wrong })).status).toBe(400)
    expect((await set({ amount: 5, lastDay: '2099-01-31' })).status).toBe(400)
    expect((await set({ amount: 5, trainingName: 'Nothing' })).status).toBe(404)
    expect((await admin('DELETE', '/budgets', { trainingName: 'Told' })).status).toBe(200)
    expect((await admin('DELETE', '/budgets', { trainingName: 'Told' })).status).toBe(409)
  })
})

describe('a forecast', () => {
  const forecast = async (training: string) => (await admin('GET', `/budgets/forecast?trainingName=${training}`)).body

  test('is not shown of what has no past', async () => {
    expect(await forecast('Told')).toMatchObject({ shown: null })
  })

  test('says when the budget runs out, from a past of weekdays in which it was better than last week', async () => {
    await admin('DELETE', '/budgets', {})
    await course('Usual')
    await power('Usual', 0)
    const [machine] = await settled('Usual', 'Stopped')
    await sql`update machine set created_at = created_at - interval '100 days' where name like 'usual-%'`.execute(
      env.db,
    )
    // From 10:00 to 18:00 on weekdays; in every third week nobody came on Monday and Tuesday.
    await sql`
      insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, closed_by)
      select ${machine!._id}, ${acme}, (day + time '10:00') at time zone 'Asia/Kolkata',
        (day + time '18:00') at time zone 'Asia/Kolkata', ${HOUR / 2}, 'seen stopped'
      from (select (portal_now() at time zone 'Asia/Kolkata')::date - back as day, back from generate_series(1, 95) back) d
      where extract(isodow from day) < 6 and not (extract(week from day)::int % 3 = 0 and extract(isodow from day) < 3)`.execute(
      env.db,
    )
    const { Amount } = (await admin('GET', '/azure/billing?trainingName=Usual')).body
    await set({ trainingName: 'Usual', amount: Amount + 350 })
    const { shown, backtest } = await forecast('Usual')
    expect(backtest.weeks).toBe(12)
    expect(backtest.error).toBeLessThan(backtest.naiveError)
    const out = new Date(shown.runsOutAt)
    const hour = Number(out.toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata', hour: '2-digit' }))
    expect(hour).toBeGreaterThanOrEqual(10)
    expect(hour).toBeLessThan(18)
    // ₹350 are twenty hours: two days and a half of class, and more where some of them are seldom.
    expect(out.getTime() - env.now().getTime()).toBeLessThan(6 * 24 * 3600_000)
  })
})
