import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { ClassView, OwnClass, Seat } from '@trainyard/contract/calls/classroom.ts'
import type { ReadyBy } from '@trainyard/contract/calls/ready.ts'
import { leashSentence } from '@trainyard/contract/words/budget.ts'
import type { Paise } from '@trainyard/contract/words/money.ts'
import { CLASS } from '@trainyard/contract/words/classroom.ts'
import { hear, type Heard } from '#test/event-stream.ts'
import { order, people } from '#test/orders.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { holdTask } from '#test/tasks.ts'
import { until } from '#test/until.ts'
import { measureMachines } from './measure.ts'
import { stopIdle } from './stop-idle.ts'

/** A class of fifty, from its order for nine o'clock to the last machine that is stopped for being idle. */
const SIZE = 50
const SEEN_WITHIN_MS = 2_000
const MINUTE = 60
const KOLKATA_MS = 5.5 * 3_600_000

const env = await sharedEnvironment()
// Measured and stopped when a test asks for it, and not in between.
await holdTask(env.db, 'measure machines')
await holdTask(env.db, 'stop what is idle')
await env.worker({ concurrency: 24 })
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.as('admin', 'admin@acme.test', acme)
const stranger = await env.as('admin', 'admin@globex.test', globex)
const root = await env.as('superadmin', 'root@portal.test', null)
const learners = people(SIZE)
await admin('POST', '/azure/machines', order('Other', ['apart@acme.test']))
await stranger('POST', '/azure/machines', order('Theirs', ['learner@globex.test']))
const learner = await env.as('user', learners[0]!, acme)
const second = await env.as('user', learners[1]!, acme)
const apart = await env.as('user', 'apart@acme.test', acme)
for (const email of learners.slice(2)) await env.as('user', email, acme)

const OF = 'trainingName=Fifty'
const inClass = { trainingName: 'Fifty' }
const seats = async (): Promise<Seat[]> => ((await admin('GET', `/azure/class?${OF}`)).body as ClassView).seats
const seatOf = async (email: string) => (await seats()).find(({ machine }) => machine.email === email)!
const machineOf = async (email: string) => (await seatOf(email)).machine.name
const latest = (page: Heard<OwnClass[]>) => page.events.at(-1)?.find(({ trainingName }) => trainingName === 'Fifty')

let pages: Heard<OwnClass[]>[] = []
let desk: Heard<ClassView>

describe('an order to be ready by a time', () => {
  /** An hour from now on the organisation's clocks, to the minute. */
  const moment = () => {
    const there = new Date(env.now().getTime() + 3_600_000 + KOLKATA_MS).toISOString()
    return { date: there.slice(0, 10), time: there.slice(11, 16) }
  }
  const planned = async () =>
    ((await admin('GET', `/azure/readyBy?${OF}`)).body as { readyBy: ReadyBy[] }).readyBy.find(
      ({ total }) => total > 0,
    )!

  test('is refused where it is too near', async () => {
    // A quarter to five quarters of a minute ahead, as the minute has it: an order's machines take longer.
    const near = new Date(env.now().getTime() + 75_000 + KOLKATA_MS).toISOString()
    const readyBy = { date: near.slice(0, 10), time: near.slice(11, 16) }
    const refused = await admin('POST', '/azure/machines', order('Fifty', learners, { readyBy }))
    expect(refused.status).toBe(400)
    expect(refused.body.message).toMatch(/is too near: these machines need about \d+ minutes\..*created at once\.$/)
    // All of it happens, or nothing.
    expect((await admin('GET', `/azure/class?${OF}`)).status).toBe(404)
  })

  test('costs nothing before its time: no machine of it stands at the provider, and none is made anew or copied', async () => {
    const readyBy = moment()
    const ordered = await admin('POST', '/azure/machines', order('Fifty', learners, { readyBy }))
    expect(ordered.status).toBe(200)
    expect(ordered.body.message).toMatch(/^The VMs are created about \d+ minutes earlier, to be ready at \d\d:\d\d\.$/)
    const reason = `It is created in time to be ready at ${readyBy.time} on ${readyBy.date.split('-').toReversed().join('/')}.`
    for (const { machine } of await seats())
      expect(machine).toMatchObject({ status: 'Planned', statusReason: reason, isRunning: false, progress: null })
    const { name, resourceGroup } = (await seatOf(learners[0]!)).machine
    const refused = await admin('PATCH', '/azure/machinesReset', [{ name, resourceGroup }])
    expect([refused.status, refused.body.message]).toEqual([409, `${name} is not created yet: power it on first.`])
    await env.step(20 * MINUTE)
    expect(await planned()).toMatchObject({ state: 'waiting', total: SIZE, ready: 0 })
    const { machines } = await env.truth('machines')
    expect(machines.filter((machine) => machine.name.startsWith('fifty-'))).toEqual([])
  })

  test('is started early, and counts 48 of 50 ready with why the two others are not, as the provider’s record has it', async () => {
    const failing = await Promise.all([learners[7]!, learners[8]!].map(machineOf))
    for (const name of failing)
      await env.control('POST', '/_faults', {
        kind: 'finishFailed',
        operation: 'VirtualMachines_CreateOrUpdate',
        name,
        code: 'OverconstrainedAllocationRequest',
        message: 'No room.',
      })
    const { startsAt, readyAt } = await planned()
    expect(Date.parse(startsAt)).toBeLessThan(Date.parse(readyAt) - 60_000)
    await env.step(Math.max(0, (Date.parse(startsAt) - env.now().getTime()) / 1000))
    const seen = await until(
      'all but two are ready',
      planned,
      ({ state, ready, others }) =>
        state === 'started' && ready === SIZE - 2 && others.every(({ reason }) => reason.includes('No room.')),
      90_000,
    )
    expect(seen.total).toBe(SIZE)
    expect(seen.others.map(({ email }) => email)).toEqual([learners[7], learners[8]])
    expect(seen.others.map(({ name }) => name)).toEqual(failing)
    const { machines } = await env.truth('machines')
    const up = machines.filter(({ name, power }) => name.startsWith('fifty-') && power === 'running')
    expect(new Set(up.map(({ name }) => name))).toEqual(
      new Set((await seats()).map(({ machine }) => machine.name).filter((name) => !failing.includes(name))),
    )
    await env.control('DELETE', '/_faults')
    await admin('POST', '/azure/class/power', { ...inClass, operation: 1 })
    for (const name of failing) {
      const { resourceGroup } = (await seats()).find(({ machine }) => machine.name === name)!.machine
      await admin('PATCH', '/azure/machines', [{ operation: 1 }, { name, resourceGroup }])
    }
    await until('all fifty are ready', planned, ({ ready }) => ready === SIZE, 90_000)
  }, 200_000)
})

test('every page is told how the class stands', async () => {
  pages = await Promise.all(
    learners.map(async (email) => hear<OwnClass[]>(await env.credentials(email), '/azure/class/mine/events')),
  )
  desk = await hear<ClassView>(await env.credentials('admin@acme.test'), `/azure/class/events?${OF}`)
  const told = await until(
    'every page is told',
    async () => pages.filter(({ events }) => events.length > 0).length,
    (told) => told === SIZE,
  )
  expect(told).toBe(SIZE)
}, 60_000)
afterAll(() => {
  for (const page of [...pages, desk]) page.close()
})

/** Waits until all pages show it; answers after how many milliseconds the last one did. */
async function shownBy(what: string, isShown: (own: OwnClass) => boolean, since: number): Promise<number> {
  await until(
    what,
    async () => pages.filter((page) => isShown(latest(page)!)).length,
    (shown) => shown === SIZE,
  )
  return Math.max(...pages.map(({ at }) => at.at(-1)!)) - since
}

describe('an announcement', () => {
  // @covers R21.1
  test('is on fifty open pages within two seconds, and gone from them as fast when it is taken back', async () => {
    const asked = performance.now()
    const text = 'Ten minutes of break: we go on at 11:10.'
    const said = await admin('POST', '/azure/class/announcement', { ...inClass, text, minutes: 15 })
    expect(said).toMatchObject({ status: 200, body: { message: CLASS.announced } })
    const took = await shownBy('all show it', (own) => own.announcement?.text === text, asked)
    process.stdout.write(`An announcement was on ${SIZE} pages after ${Math.round(took)} ms\n`)
    expect(took).toBeLessThan(SEEN_WITHIN_MS)
    expect((await apart('GET', '/azure/class/mine')).body).toMatchObject([
      { trainingName: 'Other', announcement: null },
    ])

    const back = performance.now()
    expect((await admin('DELETE', `/azure/class/announcement?${OF}`)).body.message).toBe(CLASS.takenBack)
    expect(await shownBy('none shows it', (own) => own.announcement === null, back)).toBeLessThan(SEEN_WITHIN_MS)
    expect((await admin('DELETE', `/azure/class/announcement?${OF}`)).body.message).toBe(CLASS.noAnnouncement)
  })

  // @covers R21.1
  test('is replaced by the next, and ends by itself', async () => {
    await admin('POST', '/azure/class/announcement', { ...inClass, text: 'One.', minutes: 60 })
    await admin('POST', '/azure/class/announcement', { ...inClass, text: '  Two.  ', minutes: 5 })
    const mine = async () => (await learner('GET', '/azure/class/mine')).body[0].announcement
    expect(await mine()).toMatchObject({ text: 'Two.' })
    await env.step(5 * MINUTE)
    expect(await mine()).toBeNull()
  })

  test.each([
    ['of nothing', { text: '   ', minutes: 5 }],
    ['of too much', { text: 'x'.repeat(501), minutes: 5 }],
    ['without an end', { text: 'On and on.', minutes: 0 }],
  ])('%s is refused', async (_what, body) => {
    expect((await admin('POST', '/azure/class/announcement', { ...inClass, ...body })).status).toBe(400)
  })
})

describe('a raised hand', () => {
  // @covers R21.2
  test('is seen at the desk with its time, by its own page alone, until the learner takes it down', async () => {
    const events = pages[1]!.events.length
    const before = env.now()
    expect((await learner('POST', '/azure/class/hand', inClass)).body.message).toBe(CLASS.handRaised)
    const raised = await until(
      'the desk is told',
      async () =>
        desk.events.flatMap(({ seats: told }) => told).findLast(({ machine }) => machine.email === learners[0]),
      (seat) => seat?.handRaisedAt !== null && seat?.handRaisedAt !== undefined,
    )
    expect(Date.parse(raised!.handRaisedAt!)).toBeGreaterThanOrEqual(before.getTime() - 1_000)
    await until(
      'the page is told',
      async () => latest(pages[0]!)!.handRaisedAt,
      (at) => at === raised!.handRaisedAt,
    )
    // Raised once more it keeps its place.
    await learner('POST', '/azure/class/hand', inClass)
    expect((await seatOf(learners[0]!)).handRaisedAt).toBe(raised!.handRaisedAt)
    expect((await learner('DELETE', `/azure/class/hand?${OF}`)).body.message).toBe(CLASS.handLowered)
    expect((await seatOf(learners[0]!)).handRaisedAt).toBeNull()
    expect(pages[1]!.events).toHaveLength(events)
  })

  test('is taken down by the instructor too, who says of whom', async () => {
    await second('POST', '/azure/class/hand', inClass)
    expect((await admin('DELETE', `/azure/class/hand?${OF}&email=${learners[1]}`)).status).toBe(200)
    expect((await seatOf(learners[1]!)).handRaisedAt).toBeNull()
    expect((await admin('DELETE', `/azure/class/hand?${OF}&email=nobody@acme.test`)).status).toBe(404)
  })

  // @covers R21.2
  test('is nobody else’s: not another learner’s, not of another training or organisation', async () => {
    await second('POST', '/azure/class/hand', inClass)
    const forSomebody = { ...inClass, email: learners[1] }
    expect((await learner('POST', '/azure/class/hand', forSomebody)).status).toBe(400)
    expect((await learner('DELETE', `/azure/class/hand?${OF}&email=${learners[1]}`)).status).toBe(404)
    expect((await apart('POST', '/azure/class/hand', inClass)).status).toBe(404)
    expect((await apart('DELETE', `/azure/class/hand?${OF}&email=${learners[1]}`)).status).toBe(404)
    expect((await stranger('DELETE', `/azure/class/hand?${OF}&email=${learners[1]}`)).status).toBe(404)
    expect((await admin('POST', '/azure/class/hand', inClass)).status).toBe(403)
    expect((await seatOf(learners[1]!)).handRaisedAt).not.toBeNull()
    await second('DELETE', `/azure/class/hand?${OF}`)
  })
})

describe('whoever is no instructor of the class', () => {
  const power = { ...inClass, operation: 0, idleMinutes: 5 }
  const calls: [string, string, unknown?][] = [
    ['GET', `/azure/class?${OF}`],
    ['GET', `/azure/class/events?${OF}`],
    ['POST', '/azure/class/announcement', { ...inClass, text: 'Leave.', minutes: 5 }],
    ['DELETE', `/azure/class/announcement?${OF}`],
    ['POST', '/azure/class/extension', inClass],
    ['POST', '/azure/class/idle', { ...inClass, minutes: 20 }],
    ['POST', '/azure/class/power', power],
  ]
  test.each(calls)('%s %s: a learner may not, and to another organisation there is no such class', async (...call) => {
    expect((await learner(...call)).status).toBe(403)
    const foreign = await stranger(...call)
    expect([foreign.status, foreign.body.message]).toEqual([404, 'There is no such training.'])
  })

  test('says for no other machine that somebody is there', async () => {
    const vmName = await machineOf(learners[1]!)
    for (const who of [learner, apart]) expect((await who('POST', '/azure/class/here', { vmName })).status).toBe(404)
    for (const who of [stranger, admin, root]) {
      expect((await who('POST', '/azure/class/here', { vmName })).status).toBe(403)
    }
  })
})

describe('the access window', () => {
  const list = () => learner('GET', `/azure/machines?${OF}`)
  const setWindow = (start: string | null, stop: string | null) =>
    admin('POST', '/azure/schedules', {
      ...inClass,
      data: {
        schedules: [],
        restrictLogin: { restrictUserLogin: start !== null, userAccessOnTime: start, userAccessOffTime: stop },
      },
    })
  const hhmm = (at: Date) => at.toISOString().slice(11, 16)
  const minutesOn = (minutes: number) => new Date(Math.floor(env.now().getTime() / 60_000) * 60_000 + minutes * 60_000)

  // @covers R21.3
  test('is extended by a quarter of an hour at a time, once for one key, and ends then', async () => {
    await sql`update organisation set time_zone = 'UTC' where id = ${acme}`.execute(env.db)
    const stop = minutesOn(10)
    await setWindow(hhmm(minutesOn(-60)), hhmm(stop))
    const extend = (key: string) => admin('POST', '/azure/class/extension', inClass, { 'idempotency-key': key })
    const after = (minutes: number) => new Date(stop.getTime() + minutes * 60_000).toISOString()
    expect((await extend('a')).body).toEqual({ message: CLASS.extended(15), until: after(15) })
    expect((await extend('a')).body.until).toBe(after(15))
    expect((await extend('b')).body.until).toBe(after(30))
    await env.step(12 * MINUTE)
    expect((await list()).status).toBe(200)
    expect((await learner('GET', `/admin/myuser?${OF}`)).body.extendedUntil).toBe(after(30))
    await env.step(30 * MINUTE)
    expect((await list()).status).toBe(403)
    expect((await learner('GET', '/azure/class/mine')).body).toEqual([])
  })

  // @covers R21.3
  test('that has closed opens for a quarter of an hour', async () => {
    const { body } = await admin('POST', '/azure/class/extension', inClass)
    expect(Date.parse(body.until) - env.now().getTime()).toBeGreaterThan(14.9 * 60_000)
    expect((await list()).status).toBe(200)
    const { rows } = await sql<{ before: object; after: { extendedUntil: string } }>`
      select before, after from audit where call = 'classroom.extend' order by id desc limit 1`.execute(env.db)
    expect(rows[0]!.after.extendedUntil).toBe(body.until)
  })

  test('that there is not can’t be extended', async () => {
    await setWindow(null, null)
    expect((await list()).status).toBe(200)
    const refused = await admin('POST', '/azure/class/extension', inClass)
    expect([refused.status, refused.body.message]).toEqual([409, CLASS.openAtAllTimes])
  })
})

describe('machines that are idle', () => {
  const measure = () => measureMachines(env.parts.db, env.parts.metrics!, AbortSignal.timeout(30_000))
  const look = async () => {
    await measure()
    await stopIdle(env.parts.db)
  }
  const processor = async (email: string, percent: number | null) =>
    env.control('POST', `/_machines/${await machineOf(email)}/processor`, { percent })

  // @covers R21.4
  test('are known by what the provider measured, and not guessed where it measured nothing', async () => {
    expect((await seats()).filter(({ idleSince }) => idleSince !== null)).toEqual([])
    await processor(learners[2]!, 60)
    await env.step(10 * MINUTE)
    await measure()
    const [idle, busy] = [await seatOf(learners[3]!), await seatOf(learners[2]!)]
    expect(idle.cpu!.percent).toBeLessThan(5)
    expect(Date.parse(idle.idleSince!)).toBeLessThan(env.now().getTime() - 10 * 60_000)
    expect(busy.cpu!.percent).toBe(60)
    expect(Date.parse(busy.idleSince!)).toBeGreaterThan(env.now().getTime() - 4 * 60_000)
    // Nobody measured since: that they are idle is not known any more.
    await env.step(11 * MINUTE)
    expect((await seatOf(learners[3]!)).idleSince).toBeNull()
  })

  // @covers R21.5
  test('are not stopped where the training does not ask for it', async () => {
    await env.step(5 * 3600)
    await look()
    expect((await seats()).filter(({ stopsAt }) => stopsAt !== null)).toEqual([])
  })

  // @covers R21.5
  test('are stopped after ten minutes’ warning, with the reason, but for the one who says “I am here” and the busy one', async () => {
    expect((await admin('POST', '/azure/class/idle', { ...inClass, minutes: 30 })).body.message).toBe(
      CLASS.idleStopOn(30),
    )
    await look()
    const warned = (await seats()).filter(({ stopsAt }) => stopsAt !== null)
    expect(warned).toHaveLength(SIZE - 1)
    for (const { stopsAt } of warned) {
      expect(Date.parse(stopsAt!) - env.now().getTime()).toBeGreaterThan(9.9 * 60_000)
    }
    await until(
      'the learner’s page tells of it',
      async () => latest(pages[0]!)!.machines[0]!.stopsAt,
      (stopsAt) => stopsAt !== null,
    )
    const vmName = await machineOf(learners[0]!)
    expect((await learner('POST', '/azure/class/here', { vmName })).body.message).toBe(CLASS.here(vmName))
    await env.step(9 * MINUTE)
    await look()
    expect((await seats()).filter(({ machine }) => machine.status !== 'Running')).toEqual([])
    await env.step(2 * MINUTE)
    await look()
    const stopped = await until(
      'they are stopped',
      async () => (await seats()).filter(({ machine }) => machine.status === 'Stopped'),
      (found) => found.length === SIZE - 2,
      60_000,
    )
    for (const { machine } of stopped)
      expect(machine.statusReason).toMatch(/^It was stopped because nobody had used it for \d+ minutes\.$/)
    const running = (await seats()).filter(({ machine }) => machine.status === 'Running')
    expect(running.map(({ machine }) => machine.email)).toEqual([learners[0], learners[2]])
    const { rows } = await sql<{ count: number; organisation: string }>`
      select count(*)::int as count, organisation_id as organisation from audit where call = 'classroom.stopIdle' group by 2`.execute(
      env.db,
    )
    expect(rows).toEqual([{ count: SIZE - 2, organisation: acme }])
  })

  test('are warned anew after “I am here”, and stopped where nobody is there the second time', async () => {
    await env.step(31 * MINUTE)
    await look()
    expect((await seatOf(learners[0]!)).stopsAt).not.toBeNull()
    await env.step(11 * MINUTE)
    await look()
    await until(
      'it is stopped',
      () => seatOf(learners[0]!),
      ({ machine }) => machine.status === 'Stopped',
    )
  })

  // Of another class: what runs in a training that a leash holds is stopped.
  test('are not started while a budget keeps the training off', async () => {
    const { id } = await env.db
      .insertInto('budget')
      .columns(['organisation_id', 'training_id', 'amount_paise', 'leash', 'set_by', 'judge_at', 'leashed_at'])
      .expression((eb) =>
        eb
          .selectFrom('training')
          .select([
            'organisation_id',
            'id',
            sql<Paise>`1`.as('amount'),
            sql<boolean>`true`.as('leash'),
            sql<string>`'admin@acme.test'`.as('set_by'),
            sql<Date>`portal_now() + interval '1 day'`.as('judge_at'),
            sql<Date>`portal_now()`.as('leashed_at'),
          ])
          .where('name', '=', 'Other'),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await admin('POST', '/azure/class/power', { trainingName: 'Other', operation: 1 })).toMatchObject({
      status: 409,
      body: { message: leashSentence('Other') },
    })
    await env.db.deleteFrom('budget').where('id', '=', id).execute()
  })

  // @covers R21.5
  test('are all started by one button, and not stopped in the first half hour of a run', async () => {
    const { body } = await admin('POST', '/azure/class/power', { ...inClass, operation: 1 })
    expect(body).toEqual({ message: CLASS.started(SIZE - 1), machines: SIZE - 1 })
    await until(
      'they run',
      async () => (await seats()).filter(({ machine }) => machine.status === 'Running'),
      (running) => running.length === SIZE,
      60_000,
    )
    expect((await seats()).filter(({ machine }) => machine.statusReason !== null)).toEqual([])
    await admin('POST', '/azure/class/idle', { ...inClass, minutes: 20 })
    // From the 20th minute on there is a warning; the stop waits for the 30th.
    for (let minute = 0; minute < 28; minute += 4) {
      await env.step(4 * MINUTE)
      await look()
    }
    expect((await seats()).filter(({ machine }) => machine.status !== 'Running')).toEqual([])
    expect((await seats()).filter(({ stopsAt }) => stopsAt !== null)).toHaveLength(SIZE - 1)
  })

  test('lose their warning when it is turned off', async () => {
    await admin('POST', '/azure/class/idle', { ...inClass, minutes: null })
    await look()
    expect((await seats()).filter(({ stopsAt }) => stopsAt !== null)).toEqual([])
  })

  test('are stopped by one button too, those alone', async () => {
    const tenMinutesAgo = env.now().getTime() - 10 * 60_000
    await until(
      'all but the busy one are idle, each in a run',
      async () =>
        (await seats()).flatMap(({ machine: { email, status }, idleSince, runningSince, cpu }) =>
          Date.parse(idleSince!) < tenMinutesAgo ? [] : [{ email, status, idleSince, runningSince, cpu }],
        ),
      (awake) => awake.length === 1 && awake[0]!.email === learners[2],
    )
    const { body } = await admin('POST', '/azure/class/power', { ...inClass, operation: 0, idleMinutes: 10 })
    expect(body).toEqual({ message: CLASS.stopped(SIZE - 1), machines: SIZE - 1 })
    const again = await admin('POST', '/azure/class/power', { ...inClass, operation: 0, idleMinutes: 10 })
    expect(again.body).toEqual({ message: CLASS.noneIdle(10), machines: 0 })
  })
})

test('one is reset, and its learner sits at a machine of a new run', async () => {
  const before = await seatOf(learners[2]!)
  const { name, resourceGroup } = before.machine
  expect((await admin('PATCH', '/azure/machinesReset', [{ name, resourceGroup }])).status).toBe(200)
  const after = await until(
    'it runs anew',
    () => seatOf(learners[2]!),
    ({ machine, runningSince }) => machine.status === 'Running' && runningSince !== before.runningSince,
    60_000,
  )
  expect(after.machine._id).toBe(before.machine._id)
  expect(after.idleSince).toBeNull()
})

test('nothing went wrong in the background', () => {
  expect(env.bugs).toEqual([])
})
