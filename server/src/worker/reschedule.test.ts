import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSubjects } from '#test/world.ts'
import { clockWatch } from './clock.ts'
import { rescheduleFutureTimes } from './reschedule.ts'
import { setPortalClock } from '#test/clock.ts'
import { suspendTask } from '#test/tasks.ts'
import { untilWaitingForLock } from '#test/lock-waits.ts'
import { sharedPortal } from '#test/shared.ts'

const portal = await sharedPortal()
const { own, foreign } = await createSubjects(portal)
const { name } = own.machine
const machine = (
  await portal.owner.selectFrom('machine').select('id').where('name', '=', name).executeTakeFirstOrThrow()
).id

test('corrects a clock that went back while another transaction locks a machine and its group', async () => {
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

  const messages: string[] = []
  const watching = await owner.transaction().execute(async (tx) => {
    await sql`select from machine where id = ${machine} for update`.execute(tx)
    const rescheduleRows = clockWatch(app.db, (sentence) => messages.push(sentence))()
    await untilWaitingForLock(owner, 1)
    await sql`update security_group set generation = generation + 1 where training_id = ${training}`.execute(tx)
    return { putRight: rescheduleRows }
  })
  await watching.putRight
  expect(messages).toEqual([expect.stringMatching(/^The clock went back by 7,?\d+ s/)])
  const { rows } = await sql<{ ahead: number }>`
    select (select count(*) from machine where observed_at > portal_now())
      + (select count(*) from security_group where reconcile_at > portal_now() + interval '2 minutes') as ahead`.execute(
    owner,
  )
  expect(rows).toEqual([{ ahead: 0 }])
})

test('does not mistake a jump ahead during the check for a jump back', async () => {
  const { app, owner } = portal
  await suspendTask(owner, 'held')
  await sql`update portal_clock set seen_at = portal_now(), jumped_at = null, jumped_by = null`.execute(owner)
  const messages: string[] = []
  const checkClock = clockWatch(app.db, (sentence) => messages.push(sentence))
  const { first } = await owner.transaction().execute(async (tx) => {
    await sql`select from portal_clock for update`.execute(tx)
    const first = checkClock()
    await untilWaitingForLock(owner, 1)
    await setPortalClock(owner, { ahead: 7_200 })
    await sql`update portal_clock set seen_at = portal_now()`.execute(tx)
    return { first }
  })
  await first
  expect(messages).toEqual([])
  const { rows } = await sql`
    select reconcile_at > portal_now() + interval '1 day' as held from task where name = 'held'`.execute(owner)
  expect(rows).toEqual([{ held: true }])
  // The next check detects the jump ahead, which proves that the first check used the earlier time.
  await checkClock()
  expect(messages).toEqual([expect.stringMatching(/^The clock went ahead by 7,?200 s/)])
  await sql`delete from task where name = 'held'`.execute(owner)
  await setPortalClock(owner, { ahead: 0 })
})

test('moves future times of every kind of row nearer, and does not change other times', async () => {
  const { owner } = portal
  await setPortalClock(owner, new Date('2031-05-05T12:00:00Z'))
  const from = (seconds: number) => sql`portal_now() + make_interval(secs => ${seconds})`
  const [HOUR, DAY] = [3_600, 86_400]
  const names = [own.machine.name, foreign.machine.name]
  await sql`
    insert into security_group (training_id, organisation_id, resource_group, location)
    select training_id, organisation_id, lower(resource_group), location from machine where name = any(${names})
    on conflict do nothing`.execute(owner)
  for (const table of ['machine', 'security_group'] as const) {
    const of = (name: string) =>
      table === 'machine'
        ? sql`name = ${name}`
        : sql`training_id = (select training_id from machine where name = ${name})`
    await sql`
      update ${sql.table(table)} set reconcile_at = ${from(HOUR)}, leased_until = ${from(30)}
      where ${of(names[0]!)}`.execute(owner)
    await sql`
      update ${sql.table(table)} set reconcile_at = ${from(-HOUR)}, leased_until = ${from(61)}
      where ${of(names[1]!)}`.execute(owner)
  }
  await sql`update machine set created_at = ${from(-DAY)}, observed_at = ${from(1)}, restart_asked_at = ${from(-HOUR)}
    where name = ${names[0]!}`.execute(owner)
  await sql`update machine set created_at = ${from(-DAY)}, observed_at = ${from(-9)}
    where name = ${names[1]!}`.execute(owner)
  await sql`
    insert into task (name, every, reconcile_at, started_at, ended_at, leased_until) values
      ('ahead', 600, ${from(HOUR)}, ${from(1)}, ${from(-5)}, ${from(61)}),
      ('due', 600, ${from(-3)}, ${from(-2)}, ${from(-1)}, null),
      ('held', 600, ${from(-3)}, ${from(-2)}, ${from(-1)}, ${from(59)})`.execute(owner)
  await sql`update whole_sweep set due_at = ${from(HOUR)}`.execute(owner)
  await sql`
    insert into call_bucket (name, tokens, counted_at, closed_until) values
      ('ahead', 1, ${from(HOUR)}, ${from(30)}), ('closed', 1, ${from(-5)}, ${from(HOUR)}),
      ('present', 1, ${from(-5)}, ${from(30)})`.execute(owner)
  await sql`
    insert into aws_account (id, look_at) values ('000000000001', ${from(HOUR)}), ('000000000002', ${from(59)})`.execute(
    owner,
  )
  await sql`insert into worker_pulse (worker, seen_at) values ('ahead', ${from(1)}), ('alive', ${from(-1)})`.execute(
    owner,
  )
  const job = (start: number, state: string) => sql`('user.forgot', now() + make_interval(secs => ${start}), ${state})`
  await sql`delete from pgboss.job`.execute(owner)
  await sql`
    insert into pgboss.job (name, start_after, state)
    select name, start_after, state::pgboss.job_state from (values ${sql.join([
      job(-30, 'created'),
      job(30, 'retry'),
      job(HOUR, 'created'),
      job(DAY, 'active'),
    ])}) as job (name, start_after, state)`.execute(owner)

  await rescheduleFutureTimes(owner)

  const valuesOf = async (table: string, key: string, ...columns: string[]) => {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.ref(key)}, ${sql.join(
        columns.map((column) => sql`extract(epoch from ${sql.ref(column)} - portal_now())::int as ${sql.ref(column)}`),
      )} from ${sql.table(table)} order by ${sql.ref(key)}`.execute(owner)
    return rows.map((row) => Object.values(row))
  }
  const machines = await valuesOf('machine', 'name', 'reconcile_at', 'leased_until', 'observed_at', 'restart_asked_at')
  expect(machines.filter(([name]) => names.includes(name as string))).toEqual(
    [
      [names[0], 60, 30, 0, -HOUR],
      [names[1], -HOUR, 60, -9, null],
    ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
  const groups = (await valuesOf('security_group', 'training_id', 'reconcile_at', 'leased_until')).map(
    ([, ...at]) => at,
  )
  expect(groups).toHaveLength(2)
  expect(groups).toEqual(
    expect.arrayContaining([
      [60, 30],
      [-HOUR, 60],
    ]),
  )
  const tasks = await valuesOf('task', 'name', 'reconcile_at', 'started_at', 'ended_at', 'leased_until')
  expect(tasks.filter(([name]) => ['ahead', 'due', 'held'].includes(name as string))).toEqual([
    ['ahead', 0, 0, -5, 60],
    ['due', -3, -2, -1, null],
    ['held', -3, -2, -1, 59],
  ])
  expect(await valuesOf('whole_sweep', 'single', 'due_at')).toEqual([[true, 0]])
  expect(await valuesOf('call_bucket', 'name', 'counted_at', 'closed_until')).toEqual([
    ['ahead', 0, 30],
    ['closed', -5, 60],
    ['present', -5, 30],
  ])
  expect(await valuesOf('aws_account', 'id', 'look_at')).toEqual([
    ['000000000001', 60],
    ['000000000002', 59],
  ])
  expect((await valuesOf('worker_pulse', 'worker', 'seen_at')).filter(([worker]) => worker !== 'api')).toEqual([
    ['alive', -1],
  ])
  const { rows: jobs } = await sql<{ wait: number }>`
    select round(extract(epoch from start_after - created_on))::int as wait from pgboss.job order by 1`.execute(owner)
  const waits = jobs.map(({ wait }) => wait)
  expect(waits).toEqual([-30, 30, waits[2], DAY])
  // The minute is counted from the rescheduling, on a clock that cannot be stopped.
  expect(waits[2]).toBeGreaterThanOrEqual(60)
  expect(waits[2]).toBeLessThan(HOUR)
  await setPortalClock(owner, { ahead: 0 })
})
