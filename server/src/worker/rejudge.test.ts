import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeWorld, type Subject } from '#test/world.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { clockWatch } from './clock.ts'
import { until } from '#test/until.ts'

let portal: TestPortal
let own: Subject
let machine: MachineId
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  own = (await makeWorld(portal)).own
  const { name } = own.machine
  machine = (await portal.owner.selectFrom('machine').select('id').where('name', '=', name).executeTakeFirstOrThrow())
    .id
})
afterAll(() => portal.close())

test('a clock that went back is put right while somebody holds a machine and wants its security group', async () => {
  const { app, owner } = portal
  const training = sql`(select training_id from machine where id = ${machine})`
  await sql`
    insert into security_group (training_id, organisation_id, resource_group, location)
    select training_id, organisation_id, lower(resource_group), location from machine where id = ${machine}
    on conflict do nothing`.execute(owner)
  await sql`
    update security_group set reconcile_at = portal_now() + interval '2 hours' where training_id = ${training}`.execute(
    owner,
  )
  await sql`
    update machine set observed_at = portal_now() + interval '2 hours' where id = ${machine}`.execute(owner)
  await sql`update portal_clock set seen_at = portal_now() + interval '2 hours'`.execute(owner)

  const said: string[] = []
  const watching = await owner.transaction().execute(async (tx) => {
    await sql`select from machine where id = ${machine} for update`.execute(tx)
    const putRight = clockWatch(app.db, (sentence) => said.push(sentence))()
    const locks = () =>
      sql<{ waiting: boolean }>`
      select exists (select from pg_locks where not granted) as waiting`.execute(tx)
    await until('it waits for the machine', locks, ({ rows }) => rows[0]!.waiting)
    await sql`update security_group set generation = generation + 1 where training_id = ${training}`.execute(tx)
    return { putRight }
  })
  await watching.putRight
  expect(said).toEqual([expect.stringMatching(/^The clock went back by 7,?\d+ s/)])
  const { rows } = await sql<{ ahead: number }>`
    select (select count(*) from machine where observed_at > portal_now())
      + (select count(*) from security_group where reconcile_at > portal_now() + interval '2 minutes') as ahead`.execute(
    owner,
  )
  expect(rows).toEqual([{ ahead: 0 }])
})
