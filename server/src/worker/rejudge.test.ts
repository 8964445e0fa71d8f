import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeWorld } from '#test/world.ts'
import { clockWatch } from './clock.ts'
import { until } from '#test/until.ts'
import { sharedPortal } from '#test/shared.ts'

const portal = await sharedPortal()
const { own } = await makeWorld(portal)
const { name } = own.machine
const machine = (
  await portal.owner.selectFrom('machine').select('id').where('name', '=', name).executeTakeFirstOrThrow()
).id

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
