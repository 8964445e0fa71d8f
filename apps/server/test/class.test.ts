/** @module-tag full */
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { ClassView, OwnClass, Seat } from '@trainyard/classroom/contract/classroom.ts'
import type { ReadyBy } from '@trainyard/class-sessions/contract/ready.ts'
import { spendingCapSentence } from '@trainyard/budgets/contract/budget-words.ts'
import { BROWSER_ACCESS_SURCHARGE, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { CLASS } from '@trainyard/classroom/contract/classroom-words.ts'
import { START_UNDO_SECONDS } from '@trainyard/platform/contract/words/limits.ts'
import { openEventStream, type EventStream } from '@trainyard/platform/test/event-stream.ts'
import { order, people, RATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { suspendTask } from '@trainyard/platform/test/tasks.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { measureMachines } from '@trainyard/classroom/server/measure.ts'
import { stopIdle } from '@trainyard/classroom/server/stop-idle.ts'

/**
 * End-to-end scenario of a class of fifty. It begins with an order for a ready time and ends with the idle stop of the
 * last machine.
 */
const SIZE = 50
const MINUTE = 60
const KOLKATA_MS = 5.5 * 3_600_000

const env = await sharedEnvironment()
// These tasks are disabled, because the tests measure and stop machines explicitly.
await suspendTask(env.db, 'read machine metrics')
await suspendTask(env.db, 'stop idle machines')
await env.worker({ concurrency: 24 })
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
const root = await env.signIn('superadmin', 'root@portal.test', null)
const learners = people(SIZE)
await admin('POST', '/azure/machines', order('Other', ['apart@acme.test']))
await foreignAdmin('POST', '/azure/machines', order('Theirs', ['learner@globex.test']))
const learner = await env.signIn('user', learners[0]!, acme)
const second = await env.signIn('user', learners[1]!, acme)
const otherLearner = await env.signIn('user', 'apart@acme.test', acme)
for (const email of learners.slice(2)) await env.signIn('user', email, acme)

const TRAINING_QUERY = 'trainingName=Fifty'
const inClass = { trainingName: 'Fifty' }
const seats = async (): Promise<Seat[]> =>
  ((await admin('GET', `/azure/class?${TRAINING_QUERY}`)).body as ClassView).seats
const seatOf = async (email: string) => (await seats()).find(({ machine }) => machine.email === email)!
const machineOf = async (email: string) => (await seatOf(email)).machine.name
const latest = (page: EventStream<OwnClass[]>) =>
  page.events.at(-1)?.find(({ trainingName }) => trainingName === 'Fifty')

let pages: EventStream<OwnClass[]>[] = []
let desk: EventStream<ClassView>

describe('an order to be ready by a time', () => {
  const instantAt = () => {
    const inOneHour = new Date(env.now().getTime() + 3_600_000 + KOLKATA_MS).toISOString()
    return { date: inOneHour.slice(0, 10), time: inOneHour.slice(11, 16) }
  }
  const planned = async () =>
    ((await admin('GET', `/azure/readyBy?${TRAINING_QUERY}`)).body as { readyBy: ReadyBy[] }).readyBy.find(
      ({ total }) => total > 0,
    )!

  test('is rejected if the time is too soon', async () => {
    // Rounded to minutes, this is 15 to 75 s in the future, which is less than the machines of an order need.
    const soon = new Date(env.now().getTime() + 75_000 + KOLKATA_MS).toISOString()
    const readyBy = { date: soon.slice(0, 10), time: soon.slice(11, 16) }
    const refused = await admin('POST', '/azure/machines', order('Fifty', learners, { readyBy }))
    expect(refused.status).toBe(400)
    expect(refused.body.message).toMatch(/is too soon: these machines need about \d+ minutes\..*created now\.$/)
    expect((await admin('GET', `/azure/class?${TRAINING_QUERY}`)).status).toBe(404)
  })

  test('costs nothing before its time: no machine exists at the provider or can be reset or captured', async () => {
    const readyBy = instantAt()
    const ordered = await admin('POST', '/azure/machines', order('Fifty', learners, { readyBy }))
    expect(ordered.status).toBe(200)
    expect(ordered.body.message).toMatch(
      /^The VMs will be ready at \d\d:\d\d on \d\d\/\d\d\/\d{4}\. Creation starts about \d+ minutes earlier\.$/,
    )
    const reason = expect.stringMatching(`^Ready \\w{3} ${Number(readyBy.date.slice(8))} \\w{3,4} ${readyBy.time}$`)
    for (const { machine } of await seats())
      expect(machine).toMatchObject({ status: 'Planned', statusReason: reason, isRunning: false, progress: null })
    const { name, resourceGroup } = (await seatOf(learners[0]!)).machine
    const refused = await admin('PATCH', '/azure/machinesReset', [{ name, resourceGroup }])
    expect([refused.status, refused.body.message]).toEqual([409, `${name} is not created yet. Power it on first.`])
    await env.step(20 * MINUTE)
    expect(await planned()).toMatchObject({ state: 'waiting', total: SIZE, ready: 0 })
    // A start of all stopped machines would create all of them now.
    const { body: startable } = await admin('GET', `/azure/class/startable?${TRAINING_QUERY}`)
    expect(startable.machines).toHaveLength(SIZE)
    expect(startable.machines[0]).toEqual({ name, planned: true, hourlyPrice: (RATE + BROWSER_ACCESS_SURCHARGE) / 100 })
    expect(startable.classAt).toBe((await planned()).readyAt)
    // An undone start plans them again.
    const { body: started } = await admin('POST', '/azure/class/power', { ...inClass, operation: 1 })
    expect(started.undoable).toHaveLength(SIZE)
    expect(await admin('PATCH', '/azure/machinesUndo', started.undoable)).toMatchObject({
      status: 200,
      body: { message: `${SIZE} machines are not started.` },
    })
    await env.step(MINUTE)
    expect(new Set((await seats()).map(({ machine }) => machine.status))).toEqual(new Set(['Planned']))
    const { machines } = await env.truth('machines')
    expect(machines.filter((machine) => machine.name.startsWith('fifty-'))).toEqual([])
  })

  test('starts early and reports 48 of 50 ready with the reasons of the other two, like the provider', async () => {
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
    const joined = await until(
      'all but two are ready',
      planned,
      ({ state, ready, others }) =>
        state === 'started' && ready === SIZE - 2 && others.every(({ reason }) => reason.includes('No room.')),
      90_000,
    )
    expect(joined.total).toBe(SIZE)
    expect(joined.others.map(({ email }) => email)).toEqual([learners[7], learners[8]])
    expect(joined.others.map(({ name }) => name)).toEqual(failing)
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
    await until('all fifty are ready', planned, ({ ready }) => ready === SIZE)
  })
})

test('every page receives the state of the class', async () => {
  pages = await Promise.all(
    learners.map(async (email) =>
      openEventStream<OwnClass[]>(await env.credentials(email), '/azure/class/mine/events'),
    ),
  )
  desk = await openEventStream<ClassView>(
    await env.credentials('admin@acme.test'),
    `/azure/class/events?${TRAINING_QUERY}`,
  )
  const reported = await until(
    'every page has data',
    async () => pages.filter(({ events }) => events.length > 0).length,
    (reported) => reported === SIZE,
  )
  expect(reported).toBe(SIZE)
})
afterAll(() => {
  for (const page of [...pages, desk]) page.close()
})

const untilAllPages = (description: string, isShown: (own: OwnClass) => boolean) =>
  until(
    description,
    async () => pages.filter((page) => isShown(latest(page)!)).length,
    (shown) => shown === SIZE,
  )

describe('an announcement', () => {
  test('appears on fifty open pages, in one event each, and disappears when it is removed', async () => {
    const events = pages.map((page) => page.events.length)
    const text = 'Ten minutes of break: we go on at 11:10.'
    const announced = await admin('POST', '/azure/class/announcement', { ...inClass, text, minutes: 15 })
    expect(announced).toMatchObject({ status: 200, body: { message: CLASS.announced } })
    await untilAllPages('all show it', (own) => own.announcement?.text === text)
    expect(pages.map((page) => page.events.length)).toEqual(events.map((count) => count + 1))
    expect((await otherLearner('GET', '/azure/class/mine')).body).toMatchObject([
      { trainingName: 'Other', announcement: null },
    ])

    expect((await admin('DELETE', `/azure/class/announcement?${TRAINING_QUERY}`)).body.message).toBe(CLASS.takenBack)
    await untilAllPages('none shows it', (own) => own.announcement === null)
    expect((await admin('DELETE', `/azure/class/announcement?${TRAINING_QUERY}`)).body.message).toBe(
      CLASS.noAnnouncement,
    )
  })

  test('is replaced by the next one and ends automatically', async () => {
    await admin('POST', '/azure/class/announcement', { ...inClass, text: 'One.', minutes: 60 })
    await admin('POST', '/azure/class/announcement', { ...inClass, text: '  Two.  ', minutes: 5 })
    const ownAnnouncement = async () => (await learner('GET', '/azure/class/mine')).body[0].announcement
    expect(await ownAnnouncement()).toMatchObject({ text: 'Two.' })
    await env.step(5 * MINUTE)
    expect(await ownAnnouncement()).toBeNull()
  })

  test.each([
    ['without text', { text: '   ', minutes: 5 }],
    ['with a text that is too long', { text: 'x'.repeat(501), minutes: 5 }],
    ['without a duration', { text: 'On and on.', minutes: 0 }],
  ])('%s is rejected', async (_what, body) => {
    expect((await admin('POST', '/azure/class/announcement', { ...inClass, ...body })).status).toBe(400)
  })
})

describe('a raised hand', () => {
  test("appears at the desk with its time and only on the learner's own page, until it is lowered", async () => {
    const events = pages[1]!.events.length
    const before = env.now()
    expect((await learner('POST', '/azure/class/hand', inClass)).body.message).toBe(CLASS.handRaised)
    const raised = await until(
      'the desk shows it',
      async () =>
        desk.events.flatMap(({ seats: reported }) => reported).findLast(({ machine }) => machine.email === learners[0]),
      (seat) => seat?.handRaisedAt !== null && seat?.handRaisedAt !== undefined,
    )
    expect(Date.parse(raised!.handRaisedAt!)).toBeGreaterThanOrEqual(before.getTime() - 1_000)
    await until(
      'the page shows it',
      async () => latest(pages[0]!)!.handRaisedAt,
      (at) => at === raised!.handRaisedAt,
    )
    await learner('POST', '/azure/class/hand', inClass)
    expect((await seatOf(learners[0]!)).handRaisedAt).toBe(raised!.handRaisedAt)
    expect((await learner('DELETE', `/azure/class/hand?${TRAINING_QUERY}`)).body.message).toBe(CLASS.handLowered)
    expect((await seatOf(learners[0]!)).handRaisedAt).toBeNull()
    expect(pages[1]!.events).toHaveLength(events)
  })

  test('can also be lowered by the instructor, who names the learner', async () => {
    await second('POST', '/azure/class/hand', inClass)
    expect((await admin('DELETE', `/azure/class/hand?${TRAINING_QUERY}&email=${learners[1]}`)).status).toBe(200)
    expect((await seatOf(learners[1]!)).handRaisedAt).toBeNull()
    expect((await admin('DELETE', `/azure/class/hand?${TRAINING_QUERY}&email=nobody@acme.test`)).status).toBe(404)
  })

  test('cannot be changed by other learners, other trainings or other organisations', async () => {
    await second('POST', '/azure/class/hand', inClass)
    const otherSeat = { ...inClass, email: learners[1] }
    expect((await learner('POST', '/azure/class/hand', otherSeat)).status).toBe(400)
    expect((await learner('DELETE', `/azure/class/hand?${TRAINING_QUERY}&email=${learners[1]}`)).status).toBe(404)
    expect((await otherLearner('POST', '/azure/class/hand', inClass)).status).toBe(404)
    expect((await otherLearner('DELETE', `/azure/class/hand?${TRAINING_QUERY}&email=${learners[1]}`)).status).toBe(404)
    expect((await foreignAdmin('DELETE', `/azure/class/hand?${TRAINING_QUERY}&email=${learners[1]}`)).status).toBe(404)
    expect((await admin('POST', '/azure/class/hand', inClass)).status).toBe(403)
    expect((await seatOf(learners[1]!)).handRaisedAt).not.toBeNull()
    await second('DELETE', `/azure/class/hand?${TRAINING_QUERY}`)
  })
})

describe('users who are not instructors of the class', () => {
  const power = { ...inClass, operation: 0, idleMinutes: 5 }
  const calls: [string, string, unknown?][] = [
    ['GET', `/azure/class?${TRAINING_QUERY}`],
    ['GET', `/azure/class/events?${TRAINING_QUERY}`],
    ['POST', '/azure/class/announcement', { ...inClass, text: 'Leave.', minutes: 5 }],
    ['DELETE', `/azure/class/announcement?${TRAINING_QUERY}`],
    ['POST', '/azure/class/extension', inClass],
    ['POST', '/azure/class/idle', { ...inClass, minutes: 20 }],
    ['POST', '/azure/class/power', power],
  ]
  test.each(calls)('%s %s: is forbidden for a learner and not found for another organisation', async (...call) => {
    expect((await learner(...call)).status).toBe(403)
    const foreign = await foreignAdmin(...call)
    expect([foreign.status, foreign.body.message]).toEqual([404, 'There is no such training.'])
  })

  test('cannot confirm presence at the machine of another user', async () => {
    const vmName = await machineOf(learners[1]!)
    for (const who of [learner, otherLearner])
      expect((await who('POST', '/azure/class/here', { vmName })).status).toBe(404)
    for (const who of [foreignAdmin, admin, root]) {
      expect((await who('POST', '/azure/class/here', { vmName })).status).toBe(403)
    }
  })
})

describe('the access window', () => {
  const list = () => learner('GET', `/azure/machines?${TRAINING_QUERY}`)
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

  test('is extended by 15 minutes per request, once per idempotency key, and then closes', async () => {
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
    expect((await learner('GET', `/admin/myuser?${TRAINING_QUERY}`)).body.extendedUntil).toBe(after(30))
    await env.step(30 * MINUTE)
    expect((await list()).status).toBe(403)
    expect((await learner('GET', '/azure/class/mine')).body).toEqual([])
  })

  test('is not extended while it is closed, but opened for 15 minutes on request', async () => {
    const room = async () => ((await admin('GET', `/azure/class?${TRAINING_QUERY}`)).body as ClassView).room
    expect((await room()).window).toMatchObject({ open: false, extendable: false })
    const refused = await admin('POST', '/azure/class/extension', inClass)
    expect([refused.status, refused.body.message]).toEqual([409, CLASS.closedNow])
    expect((await list()).status).toBe(403)
    const before = env.now().getTime()
    const { body } = await admin('POST', '/azure/class/extension', { ...inClass, open: true })
    expect(body.message).toBe(CLASS.opened(hhmm(new Date(body.until))))
    expect((await room()).window).toMatchObject({ open: true, extendable: true })
    expect(Date.parse(body.until)).toBeGreaterThanOrEqual(before + 15 * 60_000)
    expect((await list()).status).toBe(200)
    const { rows } = await sql<{ before: object; after: { extendedUntil: string } }>`
      select before, after from audit where call = 'classroom.extend' order by id desc limit 1`.execute(env.db)
    expect(rows[0]!.after.extendedUntil).toBe(body.until)
  })

  test('cannot be extended if there is none', async () => {
    await setWindow(null, null)
    expect((await list()).status).toBe(200)
    const refused = await admin('POST', '/azure/class/extension', inClass)
    expect([refused.status, refused.body.message]).toEqual([409, CLASS.openAtAllTimes])
  })
})

describe('idle machines', () => {
  const measure = () => measureMachines(env.parts.db, env.parts.metrics!, AbortSignal.timeout(30_000))
  const measureAndStop = async () => {
    await measure()
    await stopIdle(env.parts.db)
  }
  const processor = async (email: string, percent: number | null) =>
    env.control('POST', `/_machines/${await machineOf(email)}/processor`, { percent })

  test("are detected from the provider's measurements; an unmeasured machine is never idle", async () => {
    expect((await seats()).filter(({ idleSince }) => idleSince !== null)).toEqual([])
    await processor(learners[2]!, 60)
    await env.step(10 * MINUTE)
    await measure()
    const [idle, busy] = [await seatOf(learners[3]!), await seatOf(learners[2]!)]
    expect(idle.cpu!.percent).toBeLessThan(5)
    expect(Date.parse(idle.idleSince!)).toBeLessThan(env.now().getTime() - 10 * 60_000)
    expect(busy.cpu!.percent).toBe(60)
    expect(Date.parse(busy.idleSince!)).toBeGreaterThan(env.now().getTime() - 4 * 60_000)
    await env.step(11 * MINUTE)
    expect((await seatOf(learners[3]!)).idleSince).toBeNull()
  })

  test('are not stopped if the training does not enable the idle stop', async () => {
    await env.step(5 * 3600)
    await measureAndStop()
    expect((await seats()).filter(({ stopsAt }) => stopsAt !== null)).toEqual([])
  })

  test('are stopped ten minutes after a warning, except busy machines and machines of present learners', async () => {
    expect((await admin('POST', '/azure/class/idle', { ...inClass, minutes: 30 })).body.message).toBe(
      CLASS.idleStopOn(30),
    )
    const before = env.now().getTime()
    await measureAndStop()
    const warned = (await seats()).filter(({ stopsAt }) => stopsAt !== null)
    expect(warned).toHaveLength(SIZE - 1)
    for (const { stopsAt } of warned) {
      expect(Date.parse(stopsAt!)).toBeGreaterThanOrEqual(before + 10 * 60_000)
    }
    await until(
      'the learner’s page shows it',
      async () => latest(pages[0]!)!.machines[0]!.stopsAt,
      (stopsAt) => stopsAt !== null,
    )
    const vmName = await machineOf(learners[0]!)
    expect((await learner('POST', '/azure/class/here', { vmName })).body.message).toBe(CLASS.here(vmName))
    await env.step(9 * MINUTE)
    await measureAndStop()
    expect((await seats()).filter(({ machine }) => machine.status !== 'Running')).toEqual([])
    await env.step(2 * MINUTE)
    await measureAndStop()
    const stopped = await until(
      'they are stopped',
      async () => (await seats()).filter(({ machine }) => machine.status === 'Stopped'),
      (found) => found.length === SIZE - 2,
      60_000,
    )
    for (const { machine } of stopped)
      expect(machine.statusReason).toMatch(/^Stopped because it was not used for \d+ minutes\.$/)
    const running = (await seats()).filter(({ machine }) => machine.status === 'Running')
    expect(running.map(({ machine }) => machine.email)).toEqual([learners[0], learners[2]])
    const { rows } = await sql<{ count: number; organisation: string }>`
      select count(*)::int as count, organisation_id as organisation from audit where call = 'classroom.stopIdle' group by 2`.execute(
      env.db,
    )
    expect(rows).toEqual([{ count: SIZE - 2, organisation: acme }])
  })

  test('are warned again after a confirmation, and stopped if the learner does not confirm again', async () => {
    await env.step(31 * MINUTE)
    await measureAndStop()
    expect((await seatOf(learners[0]!)).stopsAt).not.toBeNull()
    await env.step(11 * MINUTE)
    await measureAndStop()
    await until(
      'it is stopped',
      () => seatOf(learners[0]!),
      ({ machine }) => machine.status === 'Stopped',
    )
  })

  // This test uses another class, because a spending cap stops the machines of a training.
  test('are not started while a spending cap applies to the training', async () => {
    const { id } = await env.db
      .insertInto('budget')
      .columns([
        'organisation_id',
        'training_id',
        'amount_paise',
        'spending_cap',
        'set_by',
        'judge_at',
        'cap_reached_at',
      ])
      .expression((eb) =>
        eb
          .selectFrom('training')
          .select([
            'organisation_id',
            'id',
            sql<Paise>`1`.as('amount'),
            sql<boolean>`true`.as('spending_cap'),
            sql<string>`'admin@acme.test'`.as('set_by'),
            sql<Date>`portal_now() + interval '1 day'`.as('judge_at'),
            sql<Date>`portal_now()`.as('cap_reached_at'),
          ])
          .where('name', '=', 'Other'),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await admin('POST', '/azure/class/power', { trainingName: 'Other', operation: 1 })).toMatchObject({
      status: 409,
      body: { message: spendingCapSentence('Other') },
    })
    await env.db.deleteFrom('budget').where('id', '=', id).execute()
  })

  test('can all be started by one call, and are not stopped in the first half hour of a run', async () => {
    const { body } = await admin('POST', '/azure/class/power', { ...inClass, operation: 1 })
    expect(body).toEqual({ message: CLASS.started(SIZE - 1), machines: SIZE - 1, undoable: expect.any(Array) })
    await env.step(START_UNDO_SECONDS)
    await until(
      'they run',
      async () => (await seats()).filter(({ machine }) => machine.status === 'Running'),
      (running) => running.length === SIZE,
      60_000,
    )
    expect((await seats()).filter(({ machine }) => machine.statusReason !== null)).toEqual([])
    await admin('POST', '/azure/class/idle', { ...inClass, minutes: 20 })
    // The learner is warned after 20 minutes, but the machine is stopped only after 30.
    for (let minute = 0; minute < 28; minute += 4) {
      await env.step(4 * MINUTE)
      await measureAndStop()
    }
    expect((await seats()).filter(({ machine }) => machine.status !== 'Running')).toEqual([])
    expect((await seats()).filter(({ stopsAt }) => stopsAt !== null)).toHaveLength(SIZE - 1)
  })

  test('lose their warning when the idle stop is disabled', async () => {
    await admin('POST', '/azure/class/idle', { ...inClass, minutes: null })
    await measureAndStop()
    expect((await seats()).filter(({ stopsAt }) => stopsAt !== null)).toEqual([])
  })

  test('are stopped by one call; other machines continue to run', async () => {
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
    expect(body).toMatchObject({ message: CLASS.stopped(SIZE - 1), machines: SIZE - 1 })
    // Like every stop by a button, it can be undone.
    expect(body.undoable).toHaveLength(SIZE - 1)
    const again = await admin('POST', '/azure/class/power', { ...inClass, operation: 0, idleMinutes: 10 })
    expect(again.body).toEqual({ message: CLASS.noneIdle(10), machines: 0, undoable: [] })
  })
})

test('a reset machine keeps its learner and starts a new run', async () => {
  const before = await seatOf(learners[2]!)
  const { name, resourceGroup } = before.machine
  expect((await admin('PATCH', '/azure/machinesReset', [{ name, resourceGroup }])).status).toBe(200)
  const after = await until(
    'it runs again',
    () => seatOf(learners[2]!),
    ({ machine, runningSince }) => machine.status === 'Running' && runningSince !== before.runningSince,
    60_000,
  )
  expect(after.machine._id).toBe(before.machine._id)
  expect(after.idleSince).toBeNull()
})

test('background tasks reported no bugs', () => {
  expect(env.bugs).toEqual([])
})
