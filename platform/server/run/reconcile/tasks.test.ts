import { sql } from 'kysely'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sharedDatabase } from '../../../test/shared.ts'
import { listenTogether } from '../../db/listen.ts'
import { CloudError } from '../../providers/errors.ts'
import { startTasks } from './driver.ts'
import type { Running } from './running.ts'
import { registerTasks } from './shared-tasks.ts'
import type { Task } from './task.ts'

const database = await sharedDatabase({ size: 8, as: 'app' })
const { db } = database
let running: Running[] = []
let bugs: unknown[] = []
let workers = 0

beforeEach(async () => {
  bugs = []
  await sql`delete from task`.execute(db)
})
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.stop()))
  running = []
})
async function start(...tasks: Task[]): Promise<Running> {
  const options = { db, concurrency: 8, leaseSeconds: 1, onBug: (bug: unknown) => bugs.push(bug) }
  const worker = await startTasks(tasks, options, `worker ${workers++}`)
  const listening = listenTogether({ connectionString: database.appUrl }, worker.listeners)
  running.push({ stop: () => Promise.all([worker.stop(), listening.close()]).then(() => {}) })
  return worker
}

const readTask = async (name: string) =>
  db.selectFrom('task').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
const onWorkers = (name: string) => db.selectFrom('task_on_worker').selectAll().where('name', '=', name).execute()
const WAIT_OPTIONS = { timeout: 60_000, interval: 20 }

test('runs a task on one worker at a time, repeatedly, and records the runs', async () => {
  let atWork = 0
  let maximum = 0
  let runs = 0
  const task: Task = {
    name: 'count',
    every: 0.01,
    on: 'one',
    async run() {
      maximum = Math.max(maximum, ++atWork)
      await sql`select pg_sleep(0.02)`.execute(db)
      atWork -= 1
      runs += 1
    },
  }
  await Promise.all([start(task), start(task), start(task)])
  await expect.poll(() => runs, WAIT_OPTIONS).toBeGreaterThan(10)
  expect(maximum).toBe(1)
  await expect
    .poll(() => readTask('count'), WAIT_OPTIONS)
    .toMatchObject({
      every: 0.01,
      attempts: 0,
      last_error: null,
      started_at: expect.any(Date),
      ended_at: expect.any(Date),
    })
  expect((await readTask('count')).lag_seconds).toBeGreaterThanOrEqual(0)
  expect(bugs).toEqual([])
})

test('a run can set the time of the next run', async () => {
  let runs = 0
  await start({ name: 'daily', every: 0.01, on: 'one', run: async () => (++runs, { inSeconds: 3600 }) })
  await expect
    .poll(() => readTask('daily'), WAIT_OPTIONS)
    .toMatchObject({ leased_until: null, ended_at: expect.any(Date) })
  const { reconcile_at, ended_at } = await readTask('daily')
  expect((reconcile_at!.getTime() - ended_at!.getTime()) / 1000).toBeCloseTo(3600, 0)
  expect(runs).toBe(1)
})

test("shows a provider's error and retries with growing pauses; also reports bugs", async () => {
  let failures = 0
  const failUnreachable = async () => {
    failures += 1
    throw new CloudError('unreachable', 'The cloud is away.', 40)
  }
  const failWithBug = async () => {
    throw new TypeError('of ours')
  }
  await start(
    { name: 'fails', every: 1, on: 'one', run: failUnreachable },
    { name: 'is wrong', every: 1, on: 'one', run: failWithBug },
  )
  await expect
    .poll(() => readTask('fails'), WAIT_OPTIONS)
    .toMatchObject({ attempts: 1, last_error: 'The cloud is away.' })
  const { reconcile_at, ended_at } = await readTask('fails')
  expect(reconcile_at!.getTime() - ended_at!.getTime()).toBeGreaterThanOrEqual(40_000)
  expect(failures).toBe(1)
  await expect.poll(() => readTask('is wrong'), WAIT_OPTIONS).toMatchObject({ last_error: 'of ours' })
  expect(bugs).toEqual([new TypeError('of ours')])
})

test('limits the duration of each task to its own limit, also if that is longer than the limit of other steps', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeout.mockRestore())
  let isAborted = false
  await start(
    { name: 'long', every: 3600, on: 'one', limit: 3600, run: async () => {} },
    {
      name: 'short',
      every: 3600,
      on: 'one',
      limit: 0.05,
      run: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            isAborted = true
            reject(signal.reason as Error)
          }),
        ),
    },
  )
  await expect.poll(() => isAborted, WAIT_OPTIONS).toBe(true)
  await expect.poll(() => readTask('long'), WAIT_OPTIONS).toMatchObject({ ended_at: expect.any(Date) })
  const limits = timeout.mock.calls.map(([ms]) => ms)
  expect(limits).toEqual(expect.arrayContaining([3_600_000, 50]))
  expect(limits).not.toContain(180_000)
})

test('takes over the run of a crashed worker and ignores its late result', async () => {
  let endHanging: (() => void) | null = null
  const hang = () => new Promise<void>((resolve) => void (endHanging = resolve))
  await start({ name: 'hangs', every: 3600, on: 'one', run: hang })
  await expect.poll(() => endHanging, WAIT_OPTIONS).not.toBeNull()
  // Simulates a crashed worker whose claim is not renewed.
  await sql`update task set leased_until = portal_now(), fence = fence + 1`.execute(db)
  let runs = 0
  await start({ name: 'hangs', every: 3600, on: 'one', run: async () => (++runs, { inSeconds: 1800 }) })
  await expect.poll(() => runs, WAIT_OPTIONS).toBe(1)
  await expect.poll(() => readTask('hangs'), WAIT_OPTIONS).toMatchObject({ leased_until: null })
  const { reconcile_at } = await readTask('hangs')
  endHanging!()
  await running[0]!.stop()
  expect((await readTask('hangs')).reconcile_at).toEqual(reconcile_at)
})

test(
  'restarts a run on another worker when its worker stops, without counting a failure',
  { tags: ['storm'] },
  async () => {
    let begun = false
    const untilCalledOff = (signal: AbortSignal) => {
      begun = true
      return new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const worker = await start({ name: 'long', every: 3600, on: 'one', run: untilCalledOff })
    await expect.poll(() => begun, WAIT_OPTIONS).toBe(true)
    await worker.stop()
    expect(await readTask('long')).toMatchObject({ leased_until: null, attempts: 0, last_error: null, ended_at: null })
    let runs = 0
    await start({ name: 'long', every: 3600, on: 'one', run: async () => void runs++ })
    await expect.poll(() => runs, WAIT_OPTIONS).toBe(1)
    expect(bugs).toEqual([])
  },
)

test('does not change tasks of other versions', async () => {
  let runs = 0
  await sql`insert into task (name, every) values ('of another version', 1)`.execute(db)
  await start({ name: 'ours', every: 0.01, on: 'one', run: async () => void runs++ })
  await expect.poll(() => runs, WAIT_OPTIONS).toBeGreaterThan(3)
  expect(await readTask('of another version')).toMatchObject({ fence: 0, started_at: null })
})

test('runs a task on each worker, wakes it by notification, and removes its record with the worker', async () => {
  const runs = [0, 0]
  const task = (i: 0 | 1): Task => ({
    name: 'here',
    every: 3600,
    on: 'each',
    wokenBy: 'orphan',
    run: async () => void runs[i]!++,
  })
  await Promise.all([start(task(0)), start(task(1))])
  await expect.poll(() => Math.min(...runs), WAIT_OPTIONS).toBeGreaterThan(0)
  const before = [...runs]
  await expect
    .poll(async () => {
      await sql`select pg_notify('orphan_due', '')`.execute(db)
      return runs.every((count, i) => count > before[i]!)
    }, WAIT_OPTIONS)
    .toBe(true)
  await expect.poll(() => onWorkers('here'), WAIT_OPTIONS).toHaveLength(2)
  expect(await onWorkers('here')).toEqual(
    [0, 1].map(() => expect.objectContaining({ every: 3600, last_error: null, started_at: expect.any(Date) })),
  )
  await running[0]!.stop()
  expect(await onWorkers('here')).toHaveLength(1)
  await running[1]!.stop()
  const { rows } = await sql`select worker from worker_pulse`.execute(db)
  expect(rows).toEqual([])
})

test('repeats a task on each worker after errors until the worker stops', async () => {
  let runs = 0
  const worker = await start({
    name: 'fails here',
    every: 0.01,
    on: 'each',
    async run() {
      runs += 1
      throw new Error(`run ${runs}`)
    },
  })
  await expect.poll(() => runs, WAIT_OPTIONS).toBeGreaterThan(3)
  await expect
    .poll(() => onWorkers('fails here'), WAIT_OPTIONS)
    .toEqual([expect.objectContaining({ last_error: expect.stringMatching(/^run /) })])
  await worker.stop()
  const runsBefore = runs
  await sql`select pg_sleep(0.1)`.execute(db)
  expect(runs).toBe(runsBefore)
  expect(bugs).toHaveLength(runsBefore)
})

test('registers tasks without waiting for locked rows, and updates changed periods', async () => {
  const tasks = [1, 2].map((every): Task => ({ name: `known ${every}`, every, on: 'one', run: async () => undefined }))
  await registerTasks(db, tasks)
  await db.transaction().execute(async (tx) => {
    await sql`select from task for update`.execute(tx)
    await registerTasks(db, tasks)
  })
  await registerTasks(db, [{ ...tasks[0]!, every: 7 }])
  expect((await readTask('known 1')).every).toBe(7)
  expect((await readTask('known 2')).every).toBe(2)
}, 5_000)
