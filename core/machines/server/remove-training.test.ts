import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
const world = await createSubjects(portal)

async function send(role: Role, method: string, path: string, ask: { query?: object; body?: object }) {
  const reply = await portal.request(method, path, { ...ask, uid: await portal.sessionOf(PEOPLE[role]) })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('hides a removed training, keeps its bill and machines, and shows it again after a new order', async () => {
  const { organization, trainingName, template } = world.own
  const offered = async (role: Role) => {
    const names = await send(role, 'GET', '/azure/trainingName', { query: { organization } })
    return names.body['trainingNames']
  }
  expect(await offered('admin')).toEqual([trainingName])

  // Executed schedules remain in the history. Pending schedules are cancelled.
  const schedules = () =>
    portal.owner
      .selectFrom('schedule')
      .select(['time', sql<boolean>`removed_at is not null`.as('removed')])
      .where('created_by', '=', 'removal')
      .orderBy('time')
      .execute()
  await sql`
    insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by, completed_at)
    select id, organisation_id, 'Start', '2026-01-01', time, 'UTC', portal_now() + time::interval, 'removal', done
    from training, (values (time '08:00', portal_now()), (time '09:00', null)) as planned (time, done)
    where name = ${trainingName}`.execute(portal.owner)
  const of = { trainingName, organization }
  expect((await send('superadmin', 'DELETE', '/azure/killTraining', { query: of })).status).toBe(200)
  expect((await schedules()).map(({ removed }) => removed)).toEqual([false, true])
  for (const role of ['user', 'admin', 'superadmin'] as const) expect(await offered(role)).toEqual([])
  expect((await send('admin', 'GET', '/azure/billing', { query: { trainingName } })).status).toBe(200)
  expect((await send('user', 'GET', '/azure/machines', { query: { trainingName } })).body).toHaveLength(1)

  // No plan can be stored under the training's name, because it would apply to machines of a later order.
  const unknown = { ...of, trainingName: 'unknown training' }
  const window = { restrictUserLogin: true, userAccessOnTime: '09:00', userAccessOffTime: '17:00' }
  const plans = (target: typeof of) =>
    [
      ['POST', '/azure/ports', { body: { ...target, port: 8080, priority: 1001 } }],
      ['DELETE', '/azure/ports', { body: { ...target, port: 22 } }],
      ['POST', '/azure/schedules', { body: { ...target, data: { schedules: [], restrictLogin: window } } }],
    ] as const
  for (const role of ['admin', 'superadmin'] as const) {
    const answers = async (target: typeof of) => {
      const replies = await Promise.all(plans(target).map(([method, path, asked]) => send(role, method, path, asked)))
      return replies.map(({ status, body }) => [status, body['message']])
    }
    expect(await answers(of)).toEqual(await answers(unknown))
    expect((await answers(of)).map(([status]) => status)).toEqual([404, 404, 404])
  }

  const order = { templateName: template, trainingName, email: ['new@own.test'], createVmCount: 1 }
  const placed = await send('admin', 'POST', '/azure/machines', {
    body: { ...order, allocatedHours: null, guacamole: false },
  })
  expect(placed.status).toBe(200)
  expect((await send('admin', 'GET', '/azure/ports', { query: { trainingName } })).body['ports']).toEqual([])
  expect((await send('admin', 'GET', '/admin/myuser', { query: { trainingName } })).body['loginStart']).toBeNull()
  expect(await offered('admin')).toEqual([trainingName])
})
