import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { OwnClass } from '@trainyard/classroom/contract/classroom.ts'
import { CLASS } from '@trainyard/classroom/contract/classroom-words.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { fireDue } from '@trainyard/schedules/server/fire.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner@acme.test', acme)
const YEAR = env.now().getUTCFullYear() + 1
const DAY = `${YEAR}-02-08`
const NEXT_DAY = `${YEAR}-02-09`

const instant = (time: string) => new Date(`${DAY}T${time}:00+05:30`)
const setClock = (time: string) => setPortalClock(env.db, instant(time))
const fire = () => env.db.transaction().execute(fireDue)

let trainings = 0
/**
 * Creates a training with running machines and with sessions on DAY, the first of which is in progress. Removes
 * schedules of earlier tests.
 */
async function classWith(...sessions: { from?: string; start?: string; stop?: string }[]): Promise<string> {
  await setPortalClock(env.db, { ahead: 0 })
  await sql`update schedule set removed_at = portal_now() where completed_at is null`.execute(env.db)
  const trainingName = `Class ${trainings++}`
  await admin('POST', '/azure/machines', order(trainingName, ['learner@acme.test', 'other@acme.test']))
  for (const { from = DAY, start = '09:00', stop = '17:00' } of sessions) {
    const plan = { trainingName, weekdays: null, from, until: from, start, stop, limitAccess: true, skipHolidays: true }
    expect((await admin('POST', '/azure/sessions', plan)).body.message).toMatch(/^One session is planned/)
  }
  await setClock('09:01')
  await fire()
  await setClock('16:50')
  return trainingName
}

const extend = async (trainingName: string): Promise<string> =>
  (await admin('POST', '/azure/class/extension', { trainingName })).body.message
const runUntil = (time: string) => `${CLASS.extended(15)} The machines run until ${time}.`
const schedules = async (trainingName: string) =>
  (await admin('GET', `/azure/schedules?${new URLSearchParams({ trainingName }).toString()}`)).body.schedules as {
    date: string
    time: string
    action: string
    status: string
    result: unknown
    late: number | null
  }[]
const planWith = (trainingName: string, window: [string, string], times: readonly string[]) =>
  admin('POST', '/azure/schedules', {
    trainingName,
    data: {
      schedules: times.map((time) => ({ date: DAY, time, action: 'Stop', status: 'Pending' })),
      restrictLogin: { restrictUserLogin: true, userAccessOnTime: window[0], userAccessOffTime: window[1] },
    },
  })

async function desired(trainingName: string): Promise<string[]> {
  const { rows } = await sql<{ desired: string }>`
    select distinct desired from machine where training_id = (select id from training where name = ${trainingName})`.execute(
    env.db,
  )
  return rows.map((row) => row.desired)
}

test('defers the stop of a session and a planned stop until the end of an extension', async () => {
  const trainingName = await classWith({})
  expect((await planWith(trainingName, ['09:00', '17:00'], ['16:55', '17:10', '17:40'])).status).toBe(200)
  expect(await extend(trainingName)).toBe(runUntil('17:15'))
  expect(await extend(trainingName)).toBe(runUntil('17:30'))
  await setClock('16:54')
  expect(await fire()).toBe(0)
  const stops = (await schedules(trainingName)).filter(({ action }) => action === 'Stop')
  expect(stops.map(({ time }) => time)).toEqual(['16:55', '17:30', '17:30', '17:40'])
  await setClock('16:56')
  expect(await fire()).toBe(1)
  await setClock('17:29')
  expect(await fire()).toBe(0)
  expect(await desired(trainingName)).toEqual(['stopped'])
})

test('runs machines until the end of an extension and then stops them, although a worker was killed', async () => {
  const trainingName = await classWith({})
  await extend(trainingName)
  await setClock('17:01')
  expect(await fire()).toBe(0)
  expect(await extend(trainingName)).toBe(runUntil('17:30'))
  await setClock('17:29')
  expect(await fire()).toBe(0)
  expect(await desired(trainingName)).toEqual(['running'])
  const own = (await learner('GET', '/azure/class/mine')).body as OwnClass[]
  expect(own.find((each) => each.trainingName === trainingName)!.nextStopAt).toBe(instant('17:30').toISOString())
  const { trainings: lines } = (await admin('GET', '/admin/home?organization=Acme+Learning')).body
  expect(lines.find(({ training }: { training: string }) => training === trainingName).next).toEqual({
    date: DAY,
    time: '17:30',
    action: 'Stop',
  })
  // The time after the planned stop is longer than the time after which a schedule is missed.
  await setClock('17:45')
  const killed = env.db.transaction().execute(async (tx) => {
    await fireDue(tx)
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await desired(trainingName)).toEqual(['running'])
  expect(await fire()).toBe(1)
  expect(await desired(trainingName)).toEqual(['stopped'])
  expect((await schedules(trainingName)).at(-1)).toMatchObject({ time: '17:30', late: 15, result: { acted: 2 } })
  const query = new URLSearchParams({ trainingName, from: DAY, until: DAY }).toString()
  expect((await admin('GET', `/azure/sessions?${query}`)).body.sessions[0]).toMatchObject({ shutDown: 'done' })
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
})

test('stops the machines during an extension with Stop all', async () => {
  const trainingName = await classWith({})
  await extend(trainingName)
  await setClock('17:05')
  await sql`update machine set observed = 'running' where training_id =
    (select id from training where name = ${trainingName})`.execute(env.db)
  await admin('POST', '/azure/class/power', { trainingName, operation: 0, all: true })
  expect(await desired(trainingName)).toEqual(['stopped'])
})

test('stops machines at once if the extension ends early, or at the planned time if it had not begun', async () => {
  for (const [endedAt, firesAt] of [
    ['16:55', '17:00'],
    ['17:05', '17:05'],
    ['17:40', '17:40'],
  ] as const) {
    const trainingName = await classWith({})
    for (let times = 0; times < 4; times += 1) await extend(trainingName)
    await setClock(endedAt)
    expect(await fire()).toBe(0)
    // A plan with the same hours does not end the extension.
    await planWith(trainingName, ['09:00', '17:00'], ['23:00'])
    expect(await fire()).toBe(0)
    await planWith(trainingName, ['08:00', '16:00'], [])
    await setClock(firesAt)
    expect(await fire()).toBe(1)
    expect(await desired(trainingName)).toEqual(['stopped'])
  }
})

test("extends a session that ends before its training's hours by 15 minutes, but not a planned stop", async () => {
  const trainingName = await classWith({}, { from: NEXT_DAY, stop: '18:00' })
  await planWith(trainingName, ['09:00', '18:00'], ['16:55'])
  expect(await extend(trainingName)).toBe(runUntil('17:15'))
  await setClock('17:14')
  expect(await fire()).toBe(1)
  const stops = (await schedules(trainingName)).filter(({ date, action }) => date === DAY && action === 'Stop')
  expect(stops.map(({ time, status }) => [time, status])).toEqual([
    ['16:55', 'Completed'],
    ['17:15', 'Pending'],
  ])
})

test('does not stop the machines of the next class with a deferred stop', async () => {
  const trainingName = await classWith({}, { start: '17:10', stop: '19:00' })
  await extend(trainingName)
  await setClock('17:20')
  expect(await fire()).toBe(1)
  expect(await fire()).toBe(1)
  expect(await fire()).toBe(0)
  expect(await desired(trainingName)).toEqual(['running'])
  expect((await schedules(trainingName)).find(({ time }) => time === '17:15')!.result).toMatchObject({
    acted: 0,
    skipped: 2,
  })
})

test('does not mention machines when it opens a closed training, which defers no stop', async () => {
  const trainingName = await classWith({})
  await setClock('20:00')
  await fire()
  const opened = await admin('POST', '/azure/class/extension', { trainingName, open: true })
  expect(opened.body.message).toBe(CLASS.opened('20:15'))
})
