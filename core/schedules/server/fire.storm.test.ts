import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { suspendTask } from '@trainyard/platform/test/tasks.ts'
import { workerProcesses } from '@trainyard/platform/test/worker-processes.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

/** True for the long form, `npm run storm`, with 10,000 schedules in the same minute. */
const LONG = process.env.STORM === 'long'
const SCHEDULES = LONG ? 10_000 : 300
const WAIT = LONG ? 120_000 : 30_000

const env = await sharedEnvironment()
const workers = workerProcesses(env)
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await admin('POST', '/azure/machines', order('First', ['first@acme.test']))
// The machines exist only as rows, so a sweep would consider them deleted.
await suspendTask(env.db, 'compare machines with the provider')

describe('schedules and the workers that fire them', () => {
  /** Workers of this process that a test did not stop. */
  const running = new Set<{ stop(): Promise<unknown> }>()
  afterEach(async () => {
    await Promise.all([...running].map((worker) => worker.stop()))
    running.clear()
    if (LONG) await killAll()
  })
  afterAll(() => workers.killAll())

  /**
   * Starts the worker that is killed. In the short form both tests share this worker. The other workers run in this
   * process.
   */
  let isVictim = false
  async function startVictim(): Promise<void> {
    if (!isVictim) await workers.start()
    isVictim = true
  }

  async function startAnother(): Promise<() => Promise<unknown>> {
    if (!LONG) {
      const worker = await env.worker()
      running.add(worker)
      return async () => {
        running.delete(worker)
        await worker.stop()
      }
    }
    await workers.start()
    return killAll
  }

  async function killAll(): Promise<void> {
    await workers.killAll()
    isVictim = false
  }

  /** Adds trainings with one stopped machine each, to be started in the same minute an hour from now. */
  async function planMany(label: string, count: number): Promise<void> {
    await sql`
      with training as (
        insert into training (organisation_id, name)
        select ${acme}, ${label} || ' ' || n from generate_series(1, ${count}::integer) n returning id, organisation_id, name
      ), ordered as (
        insert into machine_order (organisation_id, training_id, template_name, ordered_by, machine_count)
        select organisation_id, id, 'template', 'admin@acme.test', 1 from training returning id, training_id
      ), planned as (
        insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
        select id, organisation_id, 'Start', (due at time zone 'Asia/Kolkata')::date,
          (due at time zone 'Asia/Kolkata')::time, 'Asia/Kolkata', due, 'admin@acme.test'
        from training, (select date_trunc('minute', portal_now()) + interval '1 hour' as due) at
      )
      insert into machine (name, organisation_id, training_id, order_id, email, ordered_for, provider, place, size,
        image, os, licence, admin_username, admin_password, guacamole, paise_per_hour, desired, observed,
        first_seen_at, reconcile_at)
      select replace(lower(t.name), ' ', '-'), m.organisation_id, t.id, o.id, m.email, m.email, m.provider, m.place,
        m.size, m.image, m.os, m.licence, m.admin_username, m.admin_password, false, 1750, 'stopped',
        'stopped', portal_now(), null
      from machine m, training t join ordered o on o.training_id = t.id
      where m.email = 'first@acme.test' and m.name like 'first-%'`.execute(env.db)
    await sql`analyze schedule, machine, training`.execute(env.db)
  }

  /** Counter for a unique name per test and retry, so that rows of earlier tests are not counted. */
  let words = 0
  const newPrefix = (label: string) => `${label}${(words += 1)}`

  const pending = async (label: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from schedule s join training t on t.id = s.training_id
      where completed_at is null and t.name like ${`${label} %`}`.execute(env.db)
    return rows[0]!.count
  }
  const outcomes = async (label: string) => {
    const { rows } = await sql<{ outcome: string; reasons: string[]; count: number; machines: number; late: number }>`
      select outcome, array_agg(distinct reason) as reasons, count(*) as count, count(distinct machine_id) as machines,
        max(extract(epoch from completed_at - fires_at))::float8 as late
      from schedule_outcome o join schedule s on s.id = o.schedule_id join training t on t.id = s.training_id
      where t.name like ${`${label} %`} group by outcome`.execute(env.db)
    return rows
  }

  test(`${SCHEDULES} schedules of the same minute are all executed, each once`, { timeout: WAIT * 2 }, async () => {
    const prefix = newPrefix('Many')
    await planMany(prefix, SCHEDULES)
    await startVictim()
    const stopAnother = await startAnother()
    expect(await pending(prefix)).toBe(SCHEDULES)
    await env.step(3600)
    const began = performance.now()
    await until(
      'all are completed',
      () => pending(prefix),
      (count) => count === 0,
      WAIT,
    )
    const elapsedMs = performance.now() - began
    const [outcome, ...others] = await outcomes(prefix)
    expect(others).toEqual([])
    expect(outcome).toMatchObject({ outcome: 'acted', count: SCHEDULES, machines: SCHEDULES })
    process.stdout.write(
      `${SCHEDULES} schedules of one minute: all claimed by two workers within ${Math.round(elapsedMs)} ms\n`,
    )
    expect(LONG ? elapsedMs : 0).toBeLessThan(30_000)
    expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
    await stopAnother()
    expect(workers.complaints).toEqual([])
    expect(env.bugs).toEqual([])
  })

  test(
    'a worker that is killed while executing schedules changes nothing; another worker executes them',
    { timeout: WAIT * 2 },
    async () => {
      const prefix = newPrefix('Killed')
      await planMany(prefix, 20)
      const lock = connect({ connectionString: env.portal.settings.DATABASE_URL }, { size: 1, as: 'owner' })
      const released = Promise.withResolvers<void>()
      const reached = Promise.withResolvers<void>()
      const holder = lock.transaction().execute(async (tx) => {
        // The transaction waits when it writes the outcomes. It has then changed the desired state, but has not
        // committed.
        await sql`lock table schedule_outcome in exclusive mode`.execute(tx)
        released.resolve()
        await reached.promise
      })
      await released.promise
      await startVictim()
      await env.step(3600)
      await until(
        'it is firing',
        async () =>
          (
            await sql`select 1 from pg_locks
            where not granted and relation = 'schedule_outcome'::regclass`.execute(env.db)
          ).rows.length,
        (count) => count > 0,
        WAIT,
      )
      await workers.killOldest()
      isVictim = false
      await startAnother()
      expect(await pending(prefix)).toBe(20)
      reached.resolve()
      await holder
      await until(
        'all are completed',
        () => pending(prefix),
        (count) => count === 0,
        WAIT,
      )
      const [outcome, ...others] = await outcomes(prefix)
      expect(others).toEqual([])
      expect(outcome).toMatchObject({ outcome: 'acted', count: 20, machines: 20 })
      const { rows } = await sql`
      select generation, desired, count(*) as count from machine where name like ${`${prefix.toLowerCase()}-%`} group by 1, 2`.execute(
        env.db,
      )
      expect(rows).toEqual([{ generation: 1, desired: 'running', count: 20 }])
      expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
      await lock.destroy()
    },
  )
})
