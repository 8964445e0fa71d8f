import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { meter } from '@trainyard/usage/contract/meter.ts'
import type { classSession } from '../contract/class-session.ts'
import type { ClassSessionId } from '@trainyard/platform/contract/words/ids.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { order, RATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { fireDue } from '@trainyard/schedules/server/fire.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', await env.organisation('Globex Academy'))
const YEAR = env.now().getUTCFullYear() + 1

let trainings = 0
async function training(allocatedHours: number | null = null): Promise<string> {
  const name = `Class ${trainings++}`
  const emails = ['learner@acme.test', 'other@acme.test']
  await admin('POST', '/azure/machines', order(name, emails, { allocatedHours, guacamole: false }))
  return name
}

/** Returns the days of a month that are the given day of the week. */
function daysOf(month: number, weekday: number): string[] {
  const days = Array.from({ length: 31 }, (_, day) => new Date(Date.UTC(YEAR, month - 1, day + 1)))
  return days
    .filter((day) => day.getUTCMonth() === month - 1 && (day.getUTCDay() + 6) % 7 === weekday - 1)
    .map((day) => day.toISOString().slice(0, 10))
}

const formatDate = (date: string) => date.split('-').toReversed().join('/')
const MONDAYS = [...daysOf(2, 1), ...daysOf(3, 1)]
const weekly = (trainingName: string) => ({
  trainingName,
  weekdays: [1],
  from: MONDAYS[0]!,
  until: MONDAYS.at(-1)!,
  start: '09:00',
  stop: '17:00',
  limitAccess: true,
  skipHolidays: true,
})
type Plan = Omit<ReturnType<typeof weekly>, 'weekdays'> & { weekdays: number[] | null }
const create = (plan: Plan, as = admin) => as('POST', '/azure/sessions', plan)
const preview = async ({ weekdays, ...plan }: Plan, overrides: Record<string, string> = {}) => {
  const query = { ...plan, ...(weekdays === null ? {} : { weekdays: weekdays.join(',') }), ...overrides }
  const texts = Object.entries(query).map(([key, value]) => [key, String(value)])
  return admin('GET', `/azure/sessions/preview?${new URLSearchParams(texts).toString()}`)
}
const change = (trainingName: string, sessionId: string, scope: string, overrides: object, as = admin) => {
  const { trainingName: name, ...plan } = weekly(trainingName)
  return as('PATCH', '/azure/sessions', { ...plan, trainingName: name, sessionId, scope, ...overrides })
}
const skip = (trainingName: string, sessionId: string, skipped: boolean) =>
  admin('POST', '/azure/sessions/skip', { trainingName, sessionId, skipped })
const remove = (trainingName: string, sessionId: string, scope: string) =>
  admin('DELETE', `/azure/sessions?${new URLSearchParams({ trainingName, sessionId, scope }).toString()}`)
const list = async (trainingName: string, from: string, until: string): Promise<ReplyOf<typeof classSession.list>> =>
  (await admin('GET', `/azure/sessions?${new URLSearchParams({ trainingName, from, until }).toString()}`)).body
const all = (trainingName: string) => list(trainingName, MONDAYS[0]!, MONDAYS.at(-1)!)
const of = (trainingName: string) => `trainingName=${encodeURIComponent(trainingName)}`

/**
 * Rows that are shown on the screens of the specification: schedules, weekly schedules, ready times and access window.
 */
async function rowsBelow(trainingName: string) {
  const { body: schedules } = await admin('GET', `/azure/schedules?${of(trainingName)}`)
  const { body: recurrences } = await admin('GET', `/azure/schedules/weekly?${of(trainingName)}`)
  const { body: window } = await admin('GET', `/admin/myuser?${of(trainingName)}`)
  const { rows: ready } = await sql<{ date: string; time: string }>`
    select date, time from ready_by join training on training.id = ready_by.training_id
    where training.name = ${trainingName} and ready_by.removed_at is null order by ready_at`.execute(env.db)
  return {
    schedules: (schedules.schedules as { date: string; time: string; action: string }[]).map(
      ({ date, time, action }) => `${date} ${time} ${action}`,
    ),
    weekly: (recurrences.weekly as { action: string; time: string; weekdays: number[]; left: number }[]).map(
      ({ action, time, weekdays, left }) => `${action} ${weekdays.join()} ${time}: ${left}`,
    ),
    ready: ready.map(({ date, time }) => `${date} ${time}`),
    window: window.loginStart && `${window.loginStart} ${window.loginStop} ${window.loginDays?.join() ?? 'every day'}`,
  }
}
const both = (dates: readonly string[], start = '09:00', stop = '17:00') =>
  dates.flatMap((date) => [`${date} ${start} Start`, `${date} ${stop} Stop`])

test('creates the same rows for a weekly class as ready times, weekly schedules and an access window', async () => {
  const trainingName = await training()
  const plan = weekly(trainingName)
  const { body: before } = await preview(plan)
  const seconds = MONDAYS.length * 8 * 3600
  expect(before).toMatchObject({ count: MONDAYS.length, machines: 2, skippedHolidays: [] })
  expect(before.next.map(({ date }: { date: string }) => date)).toEqual(MONDAYS.slice(0, 5))
  // The tolerance is a minute per session, because the lead time is shown in whole minutes.
  const expected = (2 * RATE * (seconds + MONDAYS.length * before.leadMinutes * 60)) / 3600 / 100
  expect(before.costOfAll).toBeLessThanOrEqual(expected)
  expect(before.costOfAll).toBeGreaterThan(expected - (2 * RATE * MONDAYS.length) / 60 / 100)
  expect(before.conflicts).toEqual([
    {
      kind: 'window',
      blocks: false,
      sentence: 'The access window of learners changes from all times to 09:00 to 17:00 on Mon.',
    },
  ])
  const { status, body } = await create(plan)
  expect([status, body.message]).toEqual([200, `${MONDAYS.length} sessions are planned: Mon, 09:00 to 17:00.`])
  expect(await rowsBelow(trainingName)).toEqual({
    schedules: both(MONDAYS),
    weekly: [`Start 1 09:00: ${MONDAYS.length}`, `Stop 1 17:00: ${MONDAYS.length}`],
    ready: MONDAYS.map((date) => `${date} 09:00`),
    window: '09:00 17:00 1',
  })
  const { sessions, events } = await all(trainingName)
  expect([sessions.map(({ date }) => date), events]).toEqual([MONDAYS, []])
  expect(sessions[0]).toMatchObject({
    start: '09:00',
    stop: '17:00',
    weekly: { weekdays: [1], until: MONDAYS.at(-1) },
    limitsAccess: true,
    skipped: false,
    ready: 'pending',
    powerOn: 'pending',
    shutDown: 'pending',
    cost: before.costOfOne,
  })
  // Repeating the request would create overlapping sessions.
  const again = await create(plan)
  expect([again.status, again.body.message]).toEqual([
    409,
    `${MONDAYS.length} sessions overlap another session of this training, the first on ${formatDate(MONDAYS[0]!)}.`,
  ])
  expect((await create(plan, foreignAdmin)).status).toBe(404)
  expect((await create(plan, learner)).status).toBe(403)
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
})

test('plans the cost that the preview stated, once per hour, on the days of the sessions', async () => {
  const trainingName = await training()
  const plan = weekly(trainingName)
  const outlook = async (): Promise<ReplyOf<typeof meter.outlook>> =>
    (await admin('GET', `/azure/outlook?${of(trainingName)}`)).body
  expect((await outlook()).training).toMatchObject({ plannedPaise: 0, planned: [], budgetPaise: null })
  const { body: before } = await preview(plan)
  await create(plan)
  // A power on in the middle of a session plans no further hour.
  const event = { date: MONDAYS[0]!, time: '10:00', action: 'Start' }
  const restrictLogin = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }
  await admin('POST', '/azure/schedules', { trainingName, data: { schedules: [event], restrictLogin } })
  await admin('POST', '/budgets', { trainingName, amount: 500, spendingCap: false })
  const { credit, training: planned } = await outlook()
  expect(planned!.plannedPaise).toBe(Math.round(before.costOfAll * 100))
  expect(planned!.planned.map(({ date }) => date)).toEqual(MONDAYS)
  expect(planned!.planned[0]!.amountPaise).toBe(Math.round(before.costOfOne * 100))
  expect(planned!.budgetPaise).toBe(50_000)
  expect(planned!.spentPaise).toBe(planned!.days.reduce((sum, { amountPaise }) => sum + amountPaise, 0))
  expect(credit).toEqual({ kind: 'limit', leftPaise: expect.any(Number), countsUsage: true })
  // Machines that are ready without a session run until the end of the day.
  const { body: readyPlan } = await admin('POST', '/azure/readyBy', { trainingName, date: '2099-03-04', time: '10:00' })
  expect(readyPlan).toMatchObject({ message: expect.any(String) })
  expect((await outlook()).training!.planned.map(({ date }) => date)).toEqual([...MONDAYS, '2099-03-04'])
  expect((await admin('GET', '/azure/outlook')).body).toMatchObject({ credit, training: null })
  expect((await learner('GET', `/azure/outlook?${of(trainingName)}`)).status).toBe(403)
  expect((await foreignAdmin('GET', `/azure/outlook?${of(trainingName)}`)).status).toBe(404)
})

test('moves, skips, restores and cancels one session without changing the others', async () => {
  const trainingName = await training()
  await create(weekly(trainingName))
  const [first, second, third] = (await all(trainingName)).sessions
  const tuesday = daysOf(2, 2)[0]!
  const moved = await change(trainingName, first!._id, 'one', { from: tuesday, start: '10:00', stop: '18:30' })
  expect([moved.status, moved.body.message]).toEqual([
    200,
    `The session is now on ${formatDate(tuesday)}, 10:00 to 18:30.`,
  ])
  for (let time = 1; time <= 2; time++) expect((await skip(trainingName, second!._id, true)).status).toBe(200)
  const remainingMondays = MONDAYS.slice(2)
  const rowsAfterMove = await rowsBelow(trainingName)
  expect(rowsAfterMove).toMatchObject({
    schedules: [...both([tuesday], '10:00', '18:30'), ...both(remainingMondays)].toSorted(),
    ready: [`${tuesday} 10:00`, ...remainingMondays.map((date) => `${date} 09:00`)].toSorted(),
    // The training has one window, which includes both sessions.
    window: '09:00 18:30 1,2',
  })
  const { sessions } = await all(trainingName)
  expect(sessions.find(({ _id }) => _id === first!._id)).toMatchObject({ date: tuesday, moved: true })
  expect(sessions.find(({ _id }) => _id === second!._id)).toMatchObject({ skipped: true, powerOn: 'none' })
  // The skipped session cannot be restored while another session takes place at the same time.
  const single = { ...weekly(trainingName), weekdays: null, from: second!.date, until: second!.date, start: '16:00' }
  expect((await create(single)).status).toBe(200)
  expect((await skip(trainingName, second!._id, false)).status).toBe(409)
  const added = (await list(trainingName, second!.date, second!.date)).sessions.find(({ skipped }) => !skipped)!
  expect(added).toMatchObject({ weekly: null, start: '16:00' })
  expect((await remove(trainingName, added._id, 'one')).body.message).toBe(
    `The session on ${formatDate(second!.date)} is cancelled.`,
  )
  expect((await skip(trainingName, second!._id, false)).status).toBe(200)
  expect((await rowsBelow(trainingName)).schedules).toEqual(expect.arrayContaining(both([second!.date])))
  for (let time = 1; time <= 2; time++) expect((await remove(trainingName, third!._id, 'one')).status).toBe(200)
  expect((await skip(trainingName, third!._id, true)).status).toBe(404)
  expect((await rowsBelow(trainingName)).schedules).not.toContain(`${third!.date} 09:00 Start`)
})

test('counts changes of the times of a session, and no other changes', async () => {
  const trainingName = await training()
  await create(weekly(trainingName))
  const [session] = (await all(trainingName)).sessions
  const revision = async () =>
    (
      await env.db
        .selectFrom('class_session')
        .select('revision')
        .where('id', '=', session!._id as ClassSessionId)
        .executeTakeFirstOrThrow()
    ).revision
  const changeTo = (start: string) =>
    change(trainingName, session!._id, 'one', { from: session!.date, start, stop: '18:00' })
  expect(await revision()).toBe(0)
  for (const [start, count] of [
    ['10:00', 1],
    ['10:00', 1],
    ['11:00', 2],
  ] as const) {
    expect((await changeTo(start)).status).toBe(200)
    expect(await revision()).toBe(count)
  }
  await skip(trainingName, session!._id, true)
  expect((await changeTo('11:00')).status).toBe(200)
  expect(await revision()).toBe(4)
})

test('changes or cancels all following sessions; earlier sessions remain', async () => {
  const trainingName = await training()
  await create(weekly(trainingName))
  const { sessions } = await all(trainingName)
  const from = sessions[3]!
  const fridays = [...daysOf(2, 5), ...daysOf(3, 5)].filter((date) => date >= from.date && date <= MONDAYS.at(-1)!)
  const foreignChange = await change(trainingName, from._id, 'following', {}, foreignAdmin)
  expect(foreignChange.status).toBe(404)
  const changed = await change(trainingName, from._id, 'following', {
    weekdays: [5],
    from: from.date,
    start: '22:00',
    stop: '02:00',
  })
  expect(changed.body.message).toBe(`${fridays.length} sessions are planned: Fri, 22:00 to 02:00.`)
  const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
  const before = MONDAYS.slice(0, 3)
  expect(await rowsBelow(trainingName)).toEqual({
    schedules: [
      ...both(before),
      ...fridays.flatMap((date) => [`${date} 22:00 Start`, `${dayAfter(date)} 02:00 Stop`]),
    ].toSorted(),
    weekly: [
      'Start 1 09:00: 3',
      'Stop 1 17:00: 3',
      `Start 5 22:00: ${fridays.length}`,
      `Stop 6 02:00: ${fridays.length}`,
    ],
    ready: [...before.map((date) => `${date} 09:00`), ...fridays.map((date) => `${date} 22:00`)],
    window: '09:00 02:00 1,5',
  })
  const after = await all(trainingName)
  expect(after.sessions[0]!.weekly!.until < from.date).toBe(true)
  expect((await remove(trainingName, after.sessions[3]!._id, 'following')).body.message).toBe(
    `${fridays.length} sessions are cancelled.`,
  )
  expect(await rowsBelow(trainingName)).toMatchObject({ schedules: both(before), window: '09:00 17:00 1' })
  await remove(trainingName, after.sessions[0]!._id, 'following')
  // The last session that limited the access was cancelled, so the window is removed.
  expect(await rowsBelow(trainingName)).toEqual({ schedules: [], weekly: [], ready: [], window: null })
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
})

test('skips holidays, and marks a session on a holiday that was added later', async () => {
  const trainingName = await training()
  const [holiday, later] = [MONDAYS[1]!, MONDAYS[2]!]
  const add = (date: string, name: string, as = admin) => as('POST', '/azure/holidays', { date, name })
  expect((await add(holiday, 'Founders Day')).body.message).toBe(`Founders Day on ${formatDate(holiday)} is a holiday.`)
  const { body: before } = await preview(weekly(trainingName))
  expect(before).toMatchObject({
    count: MONDAYS.length - 1,
    skippedHolidays: [{ date: holiday, name: 'Founders Day' }],
  })
  await create(weekly(trainingName))
  expect((await rowsBelow(trainingName)).schedules).toEqual(both(MONDAYS.filter((date) => date !== holiday)))
  await add(later, 'Elections')
  const { sessions, holidays } = await all(trainingName)
  expect(holidays.map(({ date }) => date)).toEqual([holiday, later])
  expect(sessions.filter(({ holiday: name }) => name !== null).map(({ date }) => date)).toEqual([later])
  // Holidays of another organisation have no effect.
  expect((await foreignAdmin('GET', '/azure/holidays')).body).toEqual({ holidays: [] })
  const removal = `/azure/holidays?date=${holiday}`
  expect((await foreignAdmin('DELETE', removal)).status).toBe(200)
  expect((await admin('GET', '/azure/holidays')).body.holidays).toHaveLength(2)
  for (const date of [holiday, later]) await admin('DELETE', `/azure/holidays?date=${date}`)
  expect((await admin('GET', '/azure/holidays')).body).toEqual({ holidays: [] })
})

test('reports conflicts before saving: opposite events, allocated hours, end of the training', async () => {
  const trainingName = await training(30)
  const event = { date: MONDAYS[1]!, time: '17:00', action: 'Start' }
  const restrictLogin = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }
  await admin('POST', '/azure/schedules', { trainingName, data: { schedules: [event], restrictLogin } })
  await admin('PATCH', '/azure/trainingEnd', { trainingName, endsOn: MONDAYS[2] })
  const { body } = await preview({ ...weekly(trainingName), limitAccess: false })
  expect(body.conflicts).toEqual([
    {
      kind: 'opposite',
      blocks: true,
      sentence: `One session starts or stops in the same minute as an opposite event of this training, the first on ${formatDate(event.date)}.`,
    },
    {
      kind: 'hours',
      blocks: false,
      sentence: `2 machines have fewer allocated hours left than these sessions take (${MONDAYS.length * 8} hours) and will stop early.`,
    },
    {
      kind: 'end',
      blocks: false,
      sentence: `${MONDAYS.length - 3} sessions are after the end of the training, ${formatDate(MONDAYS[2]!)}.`,
    },
  ])
  expect((await create(weekly(trainingName))).status).toBe(409)
  // The calendar shows the event. If a user planned a row for the same minute, the session uses this row, and the row
  // remains after the session.
  expect((await all(trainingName)).events).toEqual([{ date: event.date, time: '17:00', kind: 'Start' }])
  const single = {
    ...weekly(trainingName),
    weekdays: null,
    from: event.date,
    until: event.date,
    start: '17:00',
    stop: '19:00',
  }
  expect((await create(single)).status).toBe(200)
  const [session] = (await all(trainingName)).sessions
  expect(session).toMatchObject({ powerOn: 'pending', shutDown: 'pending' })
  await remove(trainingName, session!._id, 'one')
  expect((await rowsBelow(trainingName)).schedules).toEqual([`${event.date} 17:00 Start`])
  const adjacent = { ...weekly(trainingName), weekdays: [1, 2], from: '2099-01-01', until: '2099-02-01', stop: '09:00' }
  expect((await preview(adjacent)).body.conflicts[0]).toMatchObject({ kind: 'overlap', blocks: true })
  for (const invalid of [
    { from: '2020-01-06', until: '2020-02-06' },
    { until: '2026-01-01' },
    { until: `${YEAR + 2}-03-01` },
    { weekdays: [] },
    { weekdays: [1, 1] },
    { start: '25:00' },
    { more: 1 },
  ]) {
    expect((await create({ ...weekly(trainingName), ...invalid })).status).toBe(400)
  }
})

test('changes only the end of a session that has started, and its rows show what happened', async () => {
  const trainingName = await training()
  await create(weekly(trainingName))
  const [first, second] = (await all(trainingName)).sessions
  await setPortalClock(env.db, new Date(Date.parse(first!.startsAt) + 60_000))
  await env.db.transaction().execute((tx) => fireDue(tx))
  expect((await all(trainingName)).sessions[0]).toMatchObject({ powerOn: 'done', shutDown: 'pending' })
  expect((await skip(trainingName, first!._id, true)).status).toBe(409)
  expect((await remove(trainingName, first!._id, 'one')).status).toBe(409)
  const same = { from: first!.date, until: first!.date }
  const later = await change(trainingName, first!._id, 'one', { ...same, start: '10:00' })
  expect([later.status, later.body.message]).toEqual([409, 'This session has started. You can only change its end.'])
  const extended = { ...weekly(trainingName), ...same, weekdays: null, stop: '18:00' }
  const { body: shownBefore } = await preview(extended, { replaces: first!._id, scope: 'one' })
  expect(shownBefore).toMatchObject({ count: 1, next: [{ date: first!.date }] })
  expect(shownBefore.conflicts.map(({ kind }: { kind: string }) => kind)).not.toContain('soon')
  expect((await change(trainingName, first!._id, 'one', { ...same, stop: '18:00' })).status).toBe(200)
  expect((await rowsBelow(trainingName)).schedules.slice(0, 3)).toEqual([
    `${first!.date} 09:00 Start`,
    `${first!.date} 18:00 Stop`,
    `${second!.date} 09:00 Start`,
  ])
  // Cancels this session and the following ones.
  expect((await remove(trainingName, first!._id, 'following')).body.message).toBe(
    `${MONDAYS.length - 1} sessions are cancelled.`,
  )
  await setPortalClock(env.db, new Date(Date.parse(second!.startsAt)))
  await env.db.transaction().execute((tx) => fireDue(tx))
  expect((await all(trainingName)).sessions).toMatchObject([{ powerOn: 'done', shutDown: 'missed', stop: '18:00' }])
  const overlapping = await change(trainingName, first!._id, 'one', { ...same, stop: '19:00' })
  expect(overlapping.body.message).toBe('This session is over and can no longer be changed.')
  await setPortalClock(env.db, { ahead: 0 })
})

test('stores only one of two concurrent requests for the same time', async () => {
  const trainingName = await training()
  const replies = await Promise.all([1, 2, 3].map(() => create(weekly(trainingName))))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  const insert = sql`
    insert into class_session (series_id, training_id, organisation_id, date, start_time, stop_time, time_zone, starts_at, stops_at)
    select series_id, training_id, organisation_id, date, start_time, stop_time, time_zone,
      starts_at + interval '7 hours', stops_at + interval '7 hours' from class_session
    where training_id = (select id from training where name = ${trainingName}) limit 1`
  await expect(insert.execute(env.db)).rejects.toMatchObject({ code: '23P01', constraint: 'class_session_apart' })
})
