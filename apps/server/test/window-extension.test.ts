import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

/** The access window of a training in the class, its sessions and the search. */

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const learner = await env.signIn('user', 'learner@acme.test', acme)
await admin('POST', '/azure/machines', order('Nights', ['learner@acme.test']))
const [machine] = await machinesOf(learner, 'Nights')
await sql`update organisation set time_zone = 'UTC'`.execute(env.db)

/** Sets the portal's clock to this time (UTC) tomorrow. */
async function setClock(time: string): Promise<void> {
  const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString().slice(0, 10)
  await setPortalClock(env.db, new Date(`${tomorrow}T${time}Z`))
}
async function setWindow(start: string, stop: string): Promise<void> {
  const restrictLogin = { restrictUserLogin: true, userAccessOnTime: start, userAccessOffTime: stop }
  const set = await admin('POST', '/azure/schedules', {
    trainingName: 'Nights',
    data: { schedules: [], restrictLogin },
  })
  expect(set.status).toBe(200)
}
const list = (as: Caller) => as('GET', '/azure/machines?trainingName=Nights')

test('hides machines from the search of learners while it is closed', async () => {
  await setClock('08:00')
  await setWindow('09:00', '18:00')
  expect((await learner('GET', `/user/search?text=${machine!.name}`)).body).toMatchObject({ machines: [] })
})

test('is extended while it is closed only if a session is running', async () => {
  const extend = () => admin('POST', '/azure/class/extension', { trainingName: 'Nights' })
  await setClock('08:00')
  const from = new Date(Date.now() + 24 * 3600_000).toISOString().slice(0, 10)
  const session = { from, until: from, start: '10:00', stop: '12:00', weekdays: null }
  const plan = { trainingName: 'Nights', ...session, limitAccess: false, skipHolidays: false }
  expect((await admin('POST', '/azure/sessions', plan)).status).toBe(200)
  await setWindow('13:00', '14:00')
  expect([(await extend()).status, (await list(learner)).status]).toEqual([409, 403])
  await setClock('11:00')
  expect([(await extend()).status, (await list(learner)).status]).toEqual([200, 200])
  await setWindow('09:00', '18:00')
})

test('tells the class its next opening in the zone of the organisation', async () => {
  await sql`update organisation set time_zone = 'Asia/Kolkata'`.execute(env.db)
  // A Saturday, 13:30 in India.
  await setPortalClock(env.db, new Date('2027-01-09T08:00:00Z'))
  await sql`update training set access_start = '09:00', access_stop = '17:00', access_days = '{1,2}'
    where name = 'Nights'`.execute(env.db)
  const startable = async () => (await admin('GET', '/azure/class/startable?trainingName=Nights')).body
  expect(await startable()).toMatchObject({ classAt: '2027-01-11T03:30:00.000Z', timeZone: 'Asia/Kolkata' })
  await setPortalClock(env.db, new Date('2027-01-11T03:30:00Z'))
  expect(await startable()).toMatchObject({ classAt: null })
})
