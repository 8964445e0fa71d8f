import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { paise } from '@trainyard/contract/words/money.ts'
import { setPortalClock } from '#test/clock.ts'
import { sharedDatabase } from '#test/shared.ts'
import { until } from '#test/until.ts'
import { connect } from '../../../db/client.ts'
import type { Db } from '../../../db/schema.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import { spentSince } from '../budget/spent.ts'
import { archiveRuns } from './archive.ts'
import { billLines, auditedRuns } from './audit.ts'
import type { Run } from './bill.ts'
import { clearLogs } from './clear-logs.ts'
import { dailyUse } from './daily.ts'
import { correctFutureRuns } from './future-runs.ts'
import { logsOf } from './logs.ts'
import { unchargedMonths } from './months.ts'
import { changeRuns } from './runs.ts'
import { addMachine, makeTraining, type Place } from './test-runs.ts'

const database = await sharedDatabase()
const owner = database.db
/** Connection with the rights of a worker, which cannot create tables. */
const app = connect({ connectionString: database.appUrl }, { size: 3, as: 'app' })
afterAll(() => app.destroy())

const NOW = Date.parse('2026-07-15T09:00:00Z')
await setPortalClock(owner, new Date(NOW))
const hours = (count: number) => 3_600_000 * count
const DAYS = 62
const never = new AbortController().signal
let places = 0

/** Creates two machines with a run every fifth day since January. The last run of the first machine is open. */
async function makeRuns(): Promise<Place & { machines: readonly string[] }> {
  const place = await makeTraining(owner, `Archived ${places++}`)
  const runs = (price: number, shift: number): Run[] =>
    Array.from({ length: 36 }, (_, n) => {
      const start = Date.parse('2026-01-02T17:00:00Z') + hours(120 * n + shift)
      return { start: new Date(start), stop: new Date(start + 9_000_000 + 7_000 * n), paisePerHour: paise(price) }
    })
  const machines = [`first-${places}`, `second-${places}`]
  await addMachine(owner, place, machines[0]!, 1_799, [
    ...runs(1_799, 0),
    { start: new Date(NOW - hours(30)), stop: null, paisePerHour: paise(1_799) },
  ])
  await addMachine(owner, place, machines[1]!, 333, runs(333, 1))
  await sql`update machine set observed = 'running' where name = ${machines[0]!}`.execute(owner)
  return { ...place, machines }
}

async function readAll(db: Db, { id, organisation, machines }: Awaited<ReturnType<typeof makeRuns>>) {
  const root = { role: 'superadmin', organisation: null } as unknown as Parameters<typeof logsOf>[1]
  const ids = await owner.selectFrom('machine').select('id').where('training_id', '=', id).orderBy('number').execute()
  return {
    lines: await billLines(db, id, null),
    runs: await Promise.all(ids.map((machine) => auditedRuns(db, machine.id))),
    days: await dailyUse(db, id, null, 90),
    months: await unchargedMonths(db, organisation, 12),
    spent: await spentSince(db, organisation, new Date('2026-03-01T00:00:00Z')),
    logs: await Promise.all(machines.map((name) => logsOf(db, root, name))),
  }
}

const countRows = async ({ id }: Place) => {
  const { rows } = await sql<{ live: number; archived: number }>`
    with mine as (select id from machine where training_id = ${id})
    select (select count(*) from run where machine_id in (select id from mine)) as live,
      (select count(*) from run_archive where machine_id in (select id from mine)) as archived`.execute(owner)
  return rows[0]!
}
/** The machines have 73 runs in total. Those that ended by 14 May, 27 per machine, belong in the archive. */
const ARCHIVED = { live: 19, archived: 54 }

test('keeps bills, months, days, budgets and logs identical while two workers archive, and afterwards', async () => {
  const at = await makeRuns()
  const before = await readAll(app, at)
  expect(before.lines.lines.every(({ amount }) => amount > 0)).toBe(true)
  const archiving = { active: true }
  const work = Promise.all([archiveRuns(app, DAYS, never, 3), archiveRuns(app, DAYS, never, 4)]).finally(() => {
    archiving.active = false
  })
  do expect(await billLines(owner, at.id, null)).toEqual(before.lines)
  while (archiving.active)
  await work
  await archiveRuns(app, DAYS, never)
  expect(await countRows(at)).toEqual(ARCHIVED)
  expect(await readAll(app, at)).toEqual(before)
  expect(await brokenInvariants(owner, { quiet: false })).toEqual([])
})

test('keeps each run in exactly one table if archiving is killed, and finishes in the next attempt', async () => {
  const at = await makeRuns()
  const before = await readAll(app, at)
  await sql`select make_run_archive(date '2026-03-01')`.execute(app)
  const one = connect({ connectionString: database.appUrl }, { size: 1, as: 'app' })
  const root = new pg.Client({ connectionString: inject('testCluster') })
  await root.connect()
  try {
    await owner.transaction().execute(async (tx) => {
      await sql`lock table run_archive_2026_03 in share mode`.execute(tx)
      const killed = archiveRuns(one, DAYS, never, 5).then(
        () => null,
        (error: Error) => error.message,
      )
      const waiting = async () => {
        const { rows } = await root.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query like '%into run_archive%'`,
          [database.name],
        )
        return rows[0]?.pid
      }
      const pid = await until('the archiving waits for the lock', waiting, (found) => found !== undefined)
      await root.query('select pg_terminate_backend($1)', [pid])
      expect(await killed).toMatch(/terminat/i)
    })
  } finally {
    await Promise.all([one.destroy(), root.end()])
  }
  const half = await countRows(at)
  expect(half.archived).toBeGreaterThan(0)
  expect(half.live + half.archived).toBe(ARCHIVED.live + ARCHIVED.archived)
  expect(half.archived).toBeLessThan(ARCHIVED.archived)
  expect(await readAll(app, at)).toEqual(before)
  await archiveRuns(app, DAYS, never)
  expect(await countRows(at)).toEqual(ARCHIVED)
  expect(await readAll(app, at)).toEqual(before)
})

test('archives a late run after its end, and starts a new run after the last archived run', async () => {
  const place = await makeTraining(owner, 'Late')
  const on = (day: string) => new Date(`2026-${day}T00:00:00Z`)
  const id = await addMachine(owner, place, 'late', 100, [
    { start: on('01-02'), stop: on('01-03'), paisePerHour: paise(100) },
    { start: on('01-04'), stop: null, paisePerHour: paise(100) },
  ])
  const machine = await owner.selectFrom('machine').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const change = (to: { opens: Date } | { closes: Date }) =>
    owner.transaction().execute((tx) => changeRuns(tx, [{ machine, cause: 'seen running', ...to }], new Date(NOW)))
  await archiveRuns(app, DAYS, never)
  expect(await countRows(place)).toEqual({ live: 1, archived: 1 })
  await change({ closes: on('04-01') })
  await archiveRuns(app, DAYS, never)
  expect(await countRows(place)).toEqual({ live: 0, archived: 2 })
  await change({ opens: on('03-01') })
  const { runs } = await auditedRuns(app, id)
  expect(runs.at(-1)).toMatchObject({ start: on('04-01'), stop: null })
  // 24 h in January and 2,088 h until April are used; the quota is 24 + 2,088 + 1 h.
  await sql`update machine set allotted_minutes = ${60 * (24 + 2_088 + 1)} where id = ${id}`.execute(owner)
  const { quota_ends_at: ends } = await owner
    .selectFrom('machine')
    .select('quota_ends_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(ends).toEqual(new Date('2026-04-01T01:00:00Z'))
})

test('clears archived runs from logs, compares them with the provider, and restores them if needed', async () => {
  const at = await makeRuns()
  const before = await readAll(app, at)
  await archiveRuns(app, DAYS, never)
  await app.transaction().execute((tx) => clearLogs(tx, at.id))
  const after = await readAll(app, at)
  expect(after.logs).toEqual([[], []])
  expect(after.lines).toEqual(before.lines)

  try {
    await setPortalClock(owner, new Date('2026-02-01T00:00:00Z'))
    await app.transaction().execute(correctFutureRuns)
    expect(await countRows(at)).toEqual({ live: 73, archived: 0 })
  } finally {
    await setPortalClock(owner, new Date(NOW))
  }
})

test('refuses to archive runs younger than two months', async () => {
  await expect(archiveRuns(app, 61, never)).rejects.toThrow('at least 62 days')
})

test('gives the archive table and the view the columns of the run table', async () => {
  const columns = async (table: string) =>
    (
      await sql<{ name: string }>`select column_name || ' ' || udt_name as name from information_schema.columns
        where table_name = ${table} order by 1`.execute(owner)
    ).rows
  expect(await columns('run_archive')).toEqual(await columns('run'))
  expect(await columns('all_run')).toEqual(await columns('run'))
})
