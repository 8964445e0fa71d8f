import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { schedule } from '../contract/schedule.ts'
import { PLANNED_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { scheduledTimes } from './planned-times.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

type Listed = ReplyOf<typeof schedule.list>['schedules'][number]

const ZONE = 'Asia/Kolkata'
/** Status of a completed schedule. A new schedule cannot be created with this status. */
const DONE = { status: 'Completed' }
const OPEN = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))
const foreign = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex Academy'))
const root = await env.signIn('superadmin', 'root@demo.test', null)
await env.worker()
await env.worker()

describe('schedules', () => {
  function resultOf(one: Listed | undefined) {
    if (typeof one?.result !== 'object' || one.result === null)
      throw new Error(`it did not fire: ${JSON.stringify(one)}`)
    return one.result
  }

  async function inMinutes(minutes: number): Promise<{ date: string; time: string }> {
    const { rows } = await sql<{ date: string; time: string }>`
      select to_char(local, 'YYYY-MM-DD') as date, to_char(local, 'HH24:MI') as time
      from (select (portal_now() + make_interval(mins => ${minutes})) at time zone ${ZONE} as local) now`.execute(
      env.db,
    )
    return rows[0]!
  }
  const plan = (as: Caller, trainingName: string, schedules: object[], restrictLogin: object = OPEN) =>
    as('POST', '/azure/schedules', { trainingName, data: { schedules, restrictLogin } })
  const listed = async (training: string): Promise<Listed[]> =>
    (await admin('GET', `/azure/schedules?trainingName=${encodeURIComponent(training)}`)).body.schedules
  const status = (training: string, expected: string) =>
    until(
      `all of ${training} are ${expected}`,
      () => machinesOf(admin, training),
      (machines) => machines.every((machine) => machine.status === expected),
      30_000,
    )
  const completed = (training: string) =>
    until(
      `the schedules of ${training} are completed`,
      () => listed(training),
      (all) => all.every((each) => each.status === 'Completed'),
    )

  test('without a shut down, machines are expected to run until the end of each day', async () => {
    await admin('POST', '/azure/machines', order('Left on', ['left@acme.test']))
    const days = [await inMinutes(26 * 60), await inMinutes(50 * 60)].map(({ date }) => date)
    const starts = days.map((date) => ({ date, time: '09:00', action: 'Start', status: 'Pending' }))
    const stop = { date: days[1]!, time: '17:00', action: 'Stop', status: 'Pending' }
    await plan(admin, 'Left on', [...starts, stop])
    const { id } = await env.db
      .selectFrom('training')
      .select('id')
      .where('name', '=', 'Left on')
      .executeTakeFirstOrThrow()
    const times = await scheduledTimes(env.db, { training: id, now: await portalNow(env.db) })
    expect(times.map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000)).toEqual([15, 8])
  })

  test('are planned, listed and cancelled; an invalid plan stores nothing', async () => {
    await admin('POST', '/azure/machines', order('Planned', ['p@acme.test']))
    const at = await inMinutes(120)
    const two = [
      { ...at, action: 'Stop', status: 'Pending' },
      { ...at, action: 'Start', status: 'Pending' },
      { ...at, action: 'Stop', status: 'Pending' },
    ]
    const eventCount = async () => {
      const { status, body } = await plan(admin, 'Planned', two)
      return [status, body.message]
    }
    const access = 'Learners have access at all times.'
    expect(await eventCount()).toEqual([200, `2 schedules are planned. One was already planned. ${access}`])
    expect(await eventCount()).toEqual([200, `No new schedules. 3 were already planned. ${access}`])
    const both = await listed('Planned')
    expect(both.map((each) => each.action)).toEqual(['Start', 'Stop'])
    expect(both[0]).toMatchObject({ ...at, status: 'Pending', result: null })
    expect((await admin('GET', '/azure/schedules?trainingName=Planned')).body.timeZone).toBe(ZONE)

    const past = await plan(admin, 'Planned', [
      { ...(await inMinutes(200)), action: 'Stop' },
      { ...(await inMinutes(-1)), action: 'Stop' },
    ])
    expect(past).toMatchObject({ status: 400 })
    expect(past.body.message).toMatch(/ \(Asia\/Kolkata\) is in the past\.$/)
    const invalidPlans = [
      { date: '2027-02-30' },
      { time: '24:00' },
      { time: '9:30' },
      { action: 'Restart' },
      { more: 1 },
      DONE,
    ]
    for (const part of invalidPlans) {
      expect((await plan(admin, 'Planned', [{ ...at, action: 'Stop', ...part }])).status).toBe(400)
    }
    expect((await plan(foreign, 'Planned', [{ ...at, action: 'Stop' }])).status).toBe(404)
    expect(await listed('Planned')).toHaveLength(2)

    const [, stop] = both
    const cancelPath = `/azure/schedules?trainingName=Planned&scheduleId=${stop!._id}`
    expect((await foreign('DELETE', cancelPath)).status).toBe(404)
    expect(await admin('DELETE', cancelPath)).toMatchObject({ status: 200, body: { message: 'Schedule cancelled.' } })
    expect(await listed('Planned')).toHaveLength(1)
  })

  test('have a maximum number per training', async () => {
    await admin('POST', '/azure/machines', order('Crowded', ['crowd@acme.test']))
    await sql`
      insert into schedule (training_id, organisation_id, date, time, time_zone, action, fires_at, created_by)
      select t.id, organisation_id, at::date, at::time, 'UTC', 'Start', at, 'admin@acme.test'
      from training t, generate_series(1, ${PLANNED_MAX} - 1) as n,
        lateral (select '2030-01-01T00:00:00Z'::timestamptz + make_interval(hours => n) as at) as each
      where t.name = 'Crowded'`.execute(env.db)
    const later = { date: '2029-06-01', time: '10:00', action: 'Start', status: 'Pending' }
    expect(await plan(admin, 'Crowded', [later, { ...later, time: '11:00' }])).toMatchObject({
      status: 409,
      body: {
        message: 'A training can have at most 2,000 planned events of a kind. Cancel some before you plan others.',
      },
    })
    expect((await plan(admin, 'Crowded', [later])).status).toBe(200)
  })

  test('are executed once at their instant on all live machines, and report their results', async () => {
    await admin('POST', '/azure/machines', order('Evening', people(3), { allocatedHours: 60 }))
    const machines = await status('Evening', 'Running')
    const [first] = machines
    const machineRef = { name: first!.name, resourceGroup: first!.resourceGroup }
    await admin('PATCH', '/azure/machines', [{ operation: 0 }, machineRef])
    await until(
      'one is stopped',
      () => machinesOf(admin, 'Evening'),
      (all) => all.some((each) => each.status === 'Stopped'),
    )
    await plan(admin, 'Evening', [{ ...(await inMinutes(10)), action: 'Stop' }])
    await env.step(8 * 60)
    expect((await listed('Evening'))[0]!.status).toBe('Pending')
    await env.step(2 * 60)
    const [done] = await completed('Evening')
    expect(done!.result).toEqual({ acted: 2, skipped: 1, failed: 0, reasons: [`${first!.name}: already stopped.`] })
    await status('Evening', 'Stopped')

    await plan(admin, 'Evening', [{ ...(await inMinutes(2)), action: 'Start' }])
    await env.step(2 * 60)
    await completed('Evening')
    await status('Evening', 'Running')
    await plan(admin, 'Evening', [{ ...(await inMinutes(90)), action: 'Start' }])
    await env.step(61 * 60)
    await status('Evening', 'Stopped')
    await env.step(29 * 60)
    const last = resultOf((await completed('Evening')).at(-1))
    expect(last).toMatchObject({ acted: 0, failed: 3 })
    expect(last.reasons[0]).toMatch(/^(\S+, ){2}\S+: allocated hours are used up\.$/)
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
    expect(env.bugs).toEqual([])
  })

  test('are executed in order after all workers were down, and are missed if it is too late', async () => {
    await admin('POST', '/azure/machines', order('Standstill', ['s@acme.test']))
    await status('Standstill', 'Running')
    await plan(admin, 'Standstill', [
      { ...(await inMinutes(5)), action: 'Stop' },
      { ...(await inMinutes(15)), action: 'Stop' },
      { ...(await inMinutes(25)), action: 'Start' },
      { ...(await inMinutes(40)), action: 'Stop' },
    ])
    await env.step(42 * 60)
    const results = (await completed('Standstill')).map((each) => each.result)
    expect(results[0]).toBe('missed')
    expect(results.slice(1)).toMatchObject([{ acted: 1 }, { acted: 1 }, { acted: 1 }])
    await status('Standstill', 'Stopped')
    expect(await brokenInvariants(env.db, { quiet: true })).toEqual([])
  })

  test("count a machine that could not be started as failed, with the provider's reason", async () => {
    await env.control('POST', '/_faults', { kind: 'refuseCapacity', operation: 'VirtualMachines_Start' })
    await plan(admin, 'Standstill', [{ ...(await inMinutes(2)), action: 'Start' }])
    await env.step(2 * 60)
    const failed = await until(
      'it failed',
      async () => resultOf((await completed('Standstill')).at(-1)),
      (result) => result.failed === 1,
    )
    expect(failed.reasons[0]).toMatch(/^standsti-\d+: Azure has no capacity to start/)
    await env.control('DELETE', '/_faults')
  })

  test('of a deleted training are never executed, also if the name is used again', async () => {
    await plan(admin, 'Planned', [{ ...(await inMinutes(30)), action: 'Stop' }])
    expect((await root('DELETE', '/azure/killTraining?trainingName=Planned')).status).toBe(200)
    expect((await listed('Planned')).filter((each) => each.status === 'Pending')).toEqual([])
    expect((await plan(admin, 'Planned', [{ ...(await inMinutes(30)), action: 'Stop' }])).status).toBe(404)
    await admin('POST', '/azure/machines', order('Planned', ['q@acme.test']))
    await env.step(31 * 60)
    await until(
      'it runs',
      () => machinesOf(admin, 'Planned'),
      (all) => all.some((each) => each.status === 'Running'),
    )
    const acted = await env.db
      .selectFrom('schedule_outcome')
      .innerJoin('machine', 'machine.id', 'machine_id')
      .select('name')
      .where('machine.email', 'in', ['p@acme.test', 'q@acme.test'])
      .where('outcome', '=', 'acted')
      .execute()
    expect(acted).toEqual([])
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  })
})
