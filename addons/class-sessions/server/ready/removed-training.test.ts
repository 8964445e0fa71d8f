import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
const { own } = await createSubjects(portal)

async function send(role: Role, method: string, path: string, ask: { query?: object; body?: object }) {
  const reply = await portal.request(method, path, { ...ask, uid: await portal.sessionOf(PEOPLE[role]) })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('cancels the pending orders of a removed training to be ready by a time, and accepts no others', async () => {
  const { organization, trainingName } = own
  const readyBy = () =>
    portal.owner
      .selectFrom('ready_by')
      .select(['time', sql<boolean>`removed_at is not null`.as('removed')])
      .where('asked_by', '=', 'removal')
      .orderBy('time')
      .execute()
  await sql`
    insert into ready_by (training_id, organisation_id, date, time, time_zone, ready_at, asked_by, started_at)
    select id, organisation_id, '2026-01-01', time, 'UTC', portal_now() + interval '1 day' + time::interval, 'removal', done
    from training, (values (time '08:00', portal_now()), (time '09:00', null)) as planned (time, done)
    where name = ${trainingName}`.execute(portal.owner)
  const of = { trainingName, organization }
  expect((await send('superadmin', 'DELETE', '/azure/killTraining', { query: of })).status).toBe(200)
  expect((await readyBy()).map(({ removed }) => removed)).toEqual([false, true])

  const plan = (role: Role, target: typeof of) =>
    send(role, 'POST', '/azure/readyBy', { body: { ...target, date: '2099-01-01', time: '09:00' } })
  for (const role of ['admin', 'superadmin'] as const) {
    const { status, body } = await plan(role, of)
    const unknown = await plan(role, { ...of, trainingName: 'unknown training' })
    expect([status, body['message']]).toEqual([404, unknown.body['message']])
  }
})
