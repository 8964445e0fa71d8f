import { sql } from 'kysely'
import nodeIcal from 'node-ical'
import { describe, expect, test } from 'vitest'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const root = await env.signIn('superadmin', 'root@demo.test', null)
const learner = await env.signIn('user', 'learner@acme.test', acme)
await admin('POST', '/azure/machines', order('Nights', ['learner@acme.test']))
const [machine] = await machinesOf(learner, 'Nights')
const own = { name: machine!.name, resourceGroup: machine!.resourceGroup }

describe('the access window', () => {
  /** Sets the portal's clock to this time (UTC) tomorrow. */
  async function setClock(time: string): Promise<void> {
    const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString().slice(0, 10)
    await setPortalClock(env.db, new Date(`${tomorrow}T${time}Z`))
  }
  async function setWindow(start: string | null, stop: string | null): Promise<void> {
    const restrictLogin = { restrictUserLogin: start !== null, userAccessOnTime: start, userAccessOffTime: stop }
    const set = await admin('POST', '/azure/schedules', {
      trainingName: 'Nights',
      data: { schedules: [], restrictLogin },
    })
    expect(set.status).toBe(200)
  }
  const zone = (name: string) => sql`update organisation set time_zone = ${name}`.execute(env.db)
  const list = (as: Caller) => as('GET', '/azure/machines?trainingName=Nights')

  test.each([
    // In UTC, 09:00 to 18:00 in India is 03:30 to 12:30.
    ['Asia/Kolkata', '09:00', '18:00', '03:29:59', 403],
    ['Asia/Kolkata', '09:00', '18:00', '03:30', 200],
    ['Asia/Kolkata', '09:00', '18:00', '12:29:59', 200],
    ['Asia/Kolkata', '09:00', '18:00', '12:30', 403],
    // Spans midnight: in UTC, 22:00 to 06:00 in India is 16:30 to 00:30.
    ['Asia/Kolkata', '22:00', '06:00', '16:29:59', 403],
    ['Asia/Kolkata', '22:00', '06:00', '16:30', 200],
    ['Asia/Kolkata', '22:00', '06:00', '23:59:59', 200],
    ['Asia/Kolkata', '22:00', '06:00', '00:29:59', 200],
    ['Asia/Kolkata', '22:00', '06:00', '00:30', 403],
    ['UTC', '09:00', '00:00', '23:59:59', 200],
    ['UTC', '09:00', '00:00', '00:00', 403],
    ['UTC', '09:00', '18:00', '03:30', 403],
  ] as const)('in %s, open from %s to %s, replies at %s UTC with %i', async (timeZone, start, stop, clock, status) => {
    await setClock(clock)
    await zone(timeZone)
    await setWindow(start, stop)
    const { status: answered, body } = await list(learner)
    const reply = answered === 403 ? body.message : `${body.length} machine`
    expect([answered, reply]).toEqual([
      status,
      status === 403 ? `Access to this training is open from ${start} to ${stop}.` : '1 machine',
    ])
  })

  test('blocks learners, and no other role, from every call about the machines', async () => {
    await zone('UTC')
    await setClock('08:00')
    await setWindow('09:00', '18:00')
    const sentence = 'Access to this training is open from 09:00 to 18:00.'
    const ofTraining = 'trainingName=Nights'
    const calls: [string, string, unknown?][] = [
      ['GET', `/azure/machines?${ofTraining}`],
      ['GET', `/azure/machines/events?${ofTraining}`],
      ['GET', `/azure/vmnames?${ofTraining}`],
      ['GET', `/azure/billing?${ofTraining}`],
      ['GET', `/azure/usage?${ofTraining}`],
      ['GET', `/azure/logs?vmName=${own.name}`],
      ['GET', `/azure/trainingLogs?${ofTraining}`],
      ['PATCH', '/azure/machines', [{ operation: 0 }, own]],
      ['PATCH', '/azure/machinesRestart', [own]],
    ]
    for (const [method, path, body] of calls) {
      const { status, body: reply } = await learner(method, path, body)
      expect([path, status, reply.message]).toEqual([path, 403, sentence])
    }
    // A learner never finds trainings of other users.
    expect((await learner('GET', '/azure/machines?trainingName=Other')).status).toBe(404)

    expect((await learner('GET', '/azure/trainingName?organization=Acme%20Learning')).body.trainingNames).toEqual([
      'Nights',
    ])
    expect((await learner('GET', `/admin/myuser?${ofTraining}`)).body).toEqual({
      loginStart: '09:00',
      loginStop: '18:00',
      loginDays: null,
      timeZone: 'UTC',
      extendedUntil: null,
      opening: { at: expect.stringMatching('T09:00:00.000Z$'), calendar: expect.stringContaining('T090000Z') },
    })
    for (const as of [admin, root]) expect((await list(as)).status).toBe(200)
  })

  test('tells learners its next opening in the zone of the organisation, as a calendar file too', async () => {
    await zone('Asia/Kolkata')
    // A Saturday, 13:30 in India.
    await setPortalClock(env.db, new Date('2027-01-09T08:00:00Z'))
    await sql`update training set access_start = '09:00', access_stop = '17:00', access_days = '{1,2}'
      where name = 'Nights'`.execute(env.db)
    const { opening } = (await learner('GET', '/admin/myuser?trainingName=Nights')).body
    expect(opening.at).toBe('2027-01-11T03:30:00.000Z')
    const [event, ...others] = Object.values(nodeIcal.sync.parseICS(opening.calendar)).filter(
      (each) => each?.type === 'VEVENT',
    )
    expect(others).toEqual([])
    expect([event!.summary, event!.start.toISOString(), event!.end!.toISOString()]).toEqual([
      'Nights',
      '2027-01-11T03:30:00.000Z',
      '2027-01-11T11:30:00.000Z',
    ])
    await setPortalClock(env.db, new Date('2027-01-11T03:30:00Z'))
    expect((await learner('GET', '/admin/myuser?trainingName=Nights')).body.opening).toBeNull()
    await sql`update training set access_days = null where name = 'Nights'`.execute(env.db)
    await zone('UTC')
    await setWindow('09:00', '18:00')
  })

  test('ends open streams when it closes', async () => {
    await setClock('17:59')
    const { token, url } = await env.credentials('learner@acme.test')
    const stream = await fetch(`${url}/azure/machines/events?trainingName=Nights`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = ''
    const ended = (async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read()) received += read.value
      return true
    })()
    await until(
      'the machine is shown',
      async () => received,
      (text) => text.includes(own.name),
    )
    await setClock('18:00')
    await sql`update machine set public_ip = 'after-hours' where name = ${own.name}`.execute(env.db)
    expect(await ended).toBe(true)
    expect(received).not.toContain('after-hours')
  })

  test('is removed when learners are no longer restricted', async () => {
    await setWindow(null, null)
    expect((await list(learner)).status).toBe(200)
    expect((await learner('GET', '/admin/myuser?trainingName=Nights')).body).toMatchObject({
      loginStart: null,
      loginStop: null,
    })
    const incomplete = { restrictUserLogin: true, userAccessOnTime: '09:00', userAccessOffTime: null }
    const data = { schedules: [], restrictLogin: incomplete }
    expect((await admin('POST', '/azure/schedules', { trainingName: 'Nights', data })).status).toBe(400)
  })
})
