import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { recurrence } from '../../contract/recurrence.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { fireDue } from '@trainyard/schedules/server/fire.ts'
import { runsOf } from './runs.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex Academy'))
const zone = (name: string) => sql`update organisation set time_zone = ${name} where id = ${acme}`.execute(env.db)
const YEAR = env.now().getUTCFullYear() + 1
let trainings = 0
async function training(): Promise<string> {
  const name = `Weekly ${trainings++}`
  await admin('POST', '/azure/machines', order(name, ['learner@acme.test']))
  return name
}
const plan = (rule: object, as = admin) => as('POST', '/azure/schedules/weekly', rule)
const list = async (trainingName: string): Promise<ReplyOf<typeof recurrence.list>> =>
  (await admin('GET', `/azure/schedules/weekly?trainingName=${encodeURIComponent(trainingName)}`)).body
const preview = async (rule: Record<string, unknown>, as = admin) =>
  as(
    'GET',
    `/azure/schedules/weekly/preview?${new URLSearchParams({ ...rule, weekdays: String(rule['weekdays']) }).toString()}`,
  )
const planned = async (trainingName: string) =>
  (await admin('GET', `/azure/schedules?trainingName=${encodeURIComponent(trainingName)}`)).body.schedules as {
    _id: string
    date: string
    status: string
    result: unknown
    repeats: string | null
    late: number | null
  }[]
const firesAt = async (id: string) => {
  const { rows } = await sql<{ at: Date }>`
    select fires_at as at from schedule where recurrence_id = ${id} order by fires_at`.execute(env.db)
  return rows.map(({ at }) => at.toISOString())
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * Reference implementation, which checks a wall clock every minute. Returns for each day the first minute in which the
 * clock shows the time of the schedule or a later time.
 */
function byWallClock(zoneName: string, days: string[], time: string): string[] {
  const wall = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zoneName,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return days.map((day) => {
    const target = `${day} ${time}`
    let minute = Date.parse(`${day}T00:00Z`) - 15 * 60 * MINUTE
    while (wall.format(minute) < target) minute += MINUTE
    return new Date(minute).toISOString()
  })
}

/** Returns the days by counting from 1 January 2024, a Monday. */
function daysBetween(from: string, until: string, weekdays: readonly number[]): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY) {
    const sinceMonday = Math.round((at - Date.parse('2024-01-01')) / DAY) % 7
    if (weekdays.includes(sinceMonday + 1)) days.push(new Date(at).toISOString().slice(0, 10))
  }
  return days
}

describe('a weekly schedule', () => {
  test.each([
    // Clocks change on Sundays: 01:30 occurs twice in New York in November, 02:30 is skipped in March.
    ['America/New_York', '01:30', [1, 5, 7]],
    ['America/New_York', '02:30', [1, 7]],
    ['Europe/Berlin', '02:30', [3, 7]],
    ['Australia/Lord_Howe', '02:10', [6, 7]],
    ['Asia/Kolkata', '09:00', [1, 2, 3, 4, 5]],
    ['Pacific/Auckland', '23:59', [4, 7]],
  ] as const)(
    'in %s at %s agrees with a wall clock across clock changes and the end of the year',
    (zoneName, time, weekdays) => {
      const [from, until] = [`${YEAR}-10-20`, `${YEAR + 1}-04-12`]
      const days = daysBetween(from, until, weekdays)
      const runs = runsOf({ weekdays, time, from, until }, zoneName)
      expect(runs.map(({ date }) => date)).toEqual(days)
      expect(runs.map(({ at }) => at.toISOString())).toEqual(byWallClock(zoneName, days, time))
    },
  )

  test('is planned as previewed, with a schedule per run, and is listed with its next ten runs', async () => {
    await zone('America/New_York')
    const trainingName = await training()
    const rule = { trainingName, action: 'Stop', time: '01:30', from: `${YEAR}-10-20`, until: `${YEAR + 1}-04-12` }
    const weekdays = [7, 1, 5]
    const days = daysBetween(rule.from, rule.until, weekdays)
    const { body: before } = await preview({ ...rule, weekdays })
    expect(before).toMatchObject({ timeZone: 'America/New_York', count: days.length, conflicts: [] })
    expect(await planned(trainingName)).toEqual([])
    const { status, body } = await plan({ ...rule, weekdays })
    expect([status, body.message]).toEqual([
      200,
      `Shut Down on Mon, Fri, Sun at 01:30: ${days.length} runs are planned.`,
    ])
    expect(await firesAt(body._id)).toEqual(byWallClock('America/New_York', days, '01:30'))
    const { weekly } = await list(trainingName)
    expect(weekly).toEqual([{ ...weekly[0], _id: body._id, weekdays: [1, 5, 7], left: days.length, next: before.next }])
    expect(weekly[0]!.next).toHaveLength(10)
    const duplicate = weekly[0]!.next.filter(({ note }) => note !== null)
    expect(duplicate.map(({ note }) => note)).toEqual([
      'Clocks go back on that day and show 01:30 twice. The run starts the first time.',
    ])
    expect((await planned(trainingName)).every(({ repeats }) => repeats === body._id)).toBe(true)
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
    await zone('Asia/Kolkata')
  })

  test('reports conflicts before saving and is rejected if it would contradict itself', async () => {
    const trainingName = await training()
    const rule = { trainingName, action: 'Stop', time: '16:00', from: `${YEAR}-03-01`, until: `${YEAR}-03-31` }
    const window = {
      restrictUserLogin: true,
      userAccessOnTime: '09:00',
      userAccessOffTime: '17:00',
      userAccessDays: [1, 2],
    }
    const single = { date: daysBetween(rule.from, rule.until, [1])[1]!, action: 'Start', time: '16:00' }
    await admin('POST', '/azure/schedules', { trainingName, data: { schedules: [single], restrictLogin: window } })
    // The last day is a day with a run.
    const endsOn = daysBetween(rule.from, rule.until, [3])[2]!
    await admin('PATCH', '/azure/trainingEnd', { trainingName, endsOn })
    const written = env.db.selectFrom('audit').select(['before', 'after']).where('call', '=', 'recurrence.setEnd')
    expect(await written.orderBy('id', 'desc').limit(1).execute()).toEqual([
      { before: { endsOn: null }, after: { endsOn } },
    ])
    const weekdays = [1, 3]
    const [mondays, late] = [
      daysBetween(rule.from, rule.until, [1]),
      daysBetween(rule.from, rule.until, weekdays).filter((day) => day > endsOn),
    ]
    const { body } = await preview({ ...rule, weekdays })
    expect(body.conflicts).toEqual([
      {
        kind: 'opposite',
        blocks: true,
        sentence: `One run is planned for the same minute as a Power On of this training, the first on ${single.date.split('-').toReversed().join('/')}.`,
      },
      {
        kind: 'window',
        blocks: false,
        sentence: `${mondays.length} runs stop the machines inside the access window of learners, 09:00 to 17:00 on Mon, Tue.`,
      },
      {
        kind: 'end',
        blocks: false,
        sentence: `${late.length} runs are after the end of the training, ${endsOn.split('-').toReversed().join('/')}.`,
      },
    ])
    expect((await plan({ ...rule, weekdays })).status).toBe(409)
    // A conflict that is only a warning does not prevent saving. Two concurrent requests save the schedule once.
    const both = await Promise.all([1, 2].map(() => plan({ ...rule, weekdays: [3] })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await preview({ ...rule, weekdays: [3] })).body.conflicts[0]).toMatchObject({
      kind: 'planned',
      blocks: false,
    })
    for (const invalid of [
      { weekdays: [] },
      { weekdays: [8] },
      { weekdays: [1, 1] },
      { until: `${YEAR}-02-01` },
      { until: `${YEAR + 2}-03-02` },
      { from: '2020-01-01', until: '2020-02-01' },
      { time: '24:00' },
      { more: 1 },
    ]) {
      expect((await plan({ ...rule, weekdays: [5], ...invalid })).status).toBe(400)
    }
    expect((await plan({ ...rule, weekdays: [5] }, learner)).status).toBe(403)
    expect((await plan({ ...rule, weekdays: [5] }, foreignAdmin)).status).toBe(404)
  })

  test('runs late after a short downtime, is missed after a long downtime, and ends when cancelled', async () => {
    const trainingName = await training()
    const rule = { trainingName, action: 'Stop', time: '18:00', from: `${YEAR}-06-01`, until: `${YEAR}-06-30` }
    const { body } = await plan({ ...rule, weekdays: [1, 2, 3, 4, 5, 6, 7] })
    const instants = await firesAt(body._id)
    const fire = () => env.db.transaction().execute((tx) => fireDue(tx))
    await setPortalClock(env.db, new Date(Date.parse(instants[0]!) + 12 * MINUTE))
    await fire()
    await setPortalClock(env.db, new Date(Date.parse(instants[2]!) + 31 * MINUTE))
    await fire()
    const rows = await planned(trainingName)
    const [first, second, third, fourth] = rows
    expect(first).toMatchObject({ status: 'Completed', late: 12, result: { acted: 1 } })
    expect(second).toMatchObject({ status: 'Completed', late: null, result: 'missed' })
    expect(third).toMatchObject({ status: 'Completed', late: null, result: 'missed' })
    expect(fourth).toMatchObject({ status: 'Pending', late: null })
    const of = `trainingName=${encodeURIComponent(trainingName)}`
    expect((await admin('DELETE', `/azure/schedules?${of}&scheduleId=${fourth!._id}`)).status).toBe(200)
    expect((await list(trainingName)).weekly[0]!.left).toBe(instants.length - 4)
    const other = await plan({ ...rule, time: '19:00', weekdays: [1] })
    const { length: remaining } = await firesAt(other.body._id)
    const cancel = (as = admin) => as('DELETE', `/azure/schedules/weekly?${of}&recurrenceId=${body._id}`)
    expect((await cancel(foreignAdmin)).status).toBe(404)
    for (let time = 1; time <= 2; time++) expect((await cancel()).status).toBe(200)
    expect((await list(trainingName)).weekly).toMatchObject([{ _id: other.body._id, left: remaining }])
    expect(await planned(trainingName)).toHaveLength(3 + remaining)
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
    await setPortalClock(env.db, { ahead: 0 })
  })
})

test('opens an access window on some weekdays, also across midnight', async () => {
  const trainingName = await training()
  const [machine] = await machinesOf(admin, trainingName)
  const window = { restrictUserLogin: true, userAccessOnTime: '22:00', userAccessOffTime: '06:00' }
  const set = (userAccessDays?: number[] | null) => {
    const restrictLogin = { ...window, ...(userAccessDays === undefined ? {} : { userAccessDays }) }
    return admin('POST', '/azure/schedules', { trainingName, data: { schedules: [], restrictLogin } })
  }
  expect((await set([5, 1])).body.message).toBe('Learners have access from 22:00 to 06:00 on Mon, Fri.')
  await zone('UTC')
  const [friday] = daysBetween(`${YEAR}-01-01`, `${YEAR}-01-31`, [5])
  const at = async (hours: number) => {
    await setPortalClock(env.db, new Date(Date.parse(friday!) + hours * 60 * MINUTE))
    const { status, body } = await learner('GET', `/azure/machines?trainingName=${encodeURIComponent(trainingName)}`)
    return status === 200 ? body[0].name : body.message
  }
  const closed = 'Access to this training is open from 22:00 to 06:00 on Mon, Fri.'
  const hours = [
    [21, closed],
    [22, machine!.name],
    [29, machine!.name],
    [30, closed],
    [46, closed],
    [53, closed],
    [5, closed],
  ] as const
  for (const [hour, answer] of hours) expect([hour, await at(hour)]).toEqual([hour, answer])
  // If the days are omitted, they do not change. Null opens the window every day.
  await set()
  expect(await at(46)).toBe(closed)
  await set(null)
  expect(await at(46)).toBe(machine!.name)
  await setPortalClock(env.db, { ahead: 0 })
})
