import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PLANNED_MAX } from '@trainyard/platform/contract/words/limits.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme Learning'))

const OPEN = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }
const plan = (schedules: object[]) =>
  admin('POST', '/azure/schedules', { trainingName: 'Crowded', data: { schedules, restrictLogin: OPEN } })

test('weekly schedules, sessions and orders to be ready count towards the maximum number of planned events of a training', async () => {
  await admin('POST', '/azure/machines', order('Crowded', ['crowd@acme.test']))
  const { id, organisation_id } = await env.db
    .selectFrom('training')
    .select(['id', 'organisation_id'])
    .where('name', '=', 'Crowded')
    .executeTakeFirstOrThrow()
  const fillTable = async (table: 'schedule' | 'ready_by', columns: string, values: string) =>
    sql`
      insert into ${sql.table(table)} (training_id, organisation_id, date, time, time_zone, ${sql.raw(columns)})
      select ${id}, ${organisation_id}, at::date, at::time, 'UTC', ${sql.raw(values)}
      from generate_series(1, ${PLANNED_MAX} - 1) as n,
        lateral (select '2030-01-01T00:00:00Z'::timestamptz + make_interval(hours => n) as at) as each`.execute(env.db)
  await fillTable('schedule', 'action, fires_at, created_by', "'Start', at, 'admin@acme.test'")
  await fillTable('ready_by', 'ready_at, asked_by', "at, 'admin@acme.test'")
  const later = { date: '2029-06-01', time: '10:00', action: 'Start', status: 'Pending' }
  const weekly = { from: '2029-07-02', until: '2029-07-03', weekdays: [1, 2] }
  const shared = { trainingName: 'Crowded' }
  const refused = {
    status: 409,
    body: {
      message: 'A training can have at most 2,000 planned events of a kind. Cancel some before you plan others.',
    },
  }
  const session = { ...weekly, start: '09:00', stop: '10:00', limitAccess: false, skipHolidays: false }
  const two = [later, { ...later, time: '11:00' }]
  expect(await plan(two)).toMatchObject(refused)
  expect(
    await admin('POST', '/azure/schedules/weekly', { ...shared, ...weekly, action: 'Start', time: '10:00' }),
  ).toMatchObject(refused)
  expect(await admin('POST', '/azure/sessions', { ...shared, ...session })).toMatchObject(refused)
  expect((await plan([later])).status).toBe(200)
  const ready = (date: string) => admin('POST', '/azure/readyBy', { ...shared, date, time: '10:00' })
  expect((await ready('2029-06-01')).status).toBe(200)
  expect(await ready('2029-06-02')).toMatchObject(refused)
})
