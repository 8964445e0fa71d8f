import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { NO_SAVING } from '@trainyard/budgets/contract/waste-words.ts'
import { recordActivity } from '@trainyard/remote-access/server/record-activity.ts'
import { machinesOf, order, people } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await env.worker()

test('stores measured activity minute by minute and nothing for unmeasured time', async () => {
  await admin('POST', '/azure/machines', order('Measured', people(1)))
  await until(
    'it runs',
    () => machinesOf(admin, 'Measured'),
    ([machine]) => machine?.status === 'Running',
  )
  const { rows: runs } = await sql<{ id: string; began: Date }>`
    select m.id, r.started_at as began from machine m join run r on r.machine_id = m.id and r.stopped_at is null
    join training t on t.id = m.training_id where t.name = 'Measured'`.execute(env.db)
  const { id, began } = runs[0]!
  const minute = (count: number) => new Date(began.getTime() + count * 60_000)
  const measured = async (cpu: number, busy: number | null) => {
    await sql`insert into machine_activity (machine_id, organisation_id, cpu_percent, cpu_at, busy_at)
      values (${id}, ${acme}, 1, ${minute(cpu)}, ${busy === null ? null : minute(busy)})
      on conflict (machine_id) do update set cpu_at = excluded.cpu_at, busy_at = excluded.busy_at`.execute(env.db)
    await recordActivity(env.db)
    await recordActivity(env.db)
  }
  await measured(10, 4)
  await measured(20, 4)
  await measured(30, 25)
  // After hours without measurements, only the hour before the next measurement is known.
  await measured(300, 25)
  const { rows } = await sql<{ began_at: Date; ended_at: Date; idle: boolean }>`
    select began_at, ended_at, idle from activity_stretch where machine_id = ${id} order by began_at`.execute(env.db)
  const minutes = (instant: Date) => (instant.getTime() - began.getTime()) / 60_000
  expect(rows.map(({ began_at, ended_at, idle }) => [minutes(began_at), minutes(ended_at), idle])).toEqual([
    [0, 4, false],
    [4, 20, true],
    [20, 25, false],
    [25, 30, true],
    [240, 300, true],
  ])
  expect((await admin('GET', '/waste/schedule?trainingName=Measured')).body).toMatchObject({
    rule: null,
    reason: NO_SAVING.tooEarly,
  })
})
