/** @module-tag full */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sharedDatabase } from '../../../test/shared.ts'
import { pollDue } from './poll-due.ts'
import { startLoop } from './loop.ts'
import type { Running, DueCheck } from './running.ts'

const { db } = await sharedDatabase({ size: 4, as: 'app' })
const WAIT_OPTIONS = { timeout: 60_000, interval: 20 }
let running: Running[] = []
let bugs: unknown[] = []

beforeEach(async () => {
  bugs = []
  await sql`delete from task`.execute(db)
})
afterEach(async () => {
  await Promise.all(running.map((part) => part.stop()))
  running = []
})

const watch = (watched: readonly DueCheck[]) => running.push(pollDue(db, watched, (bug) => bugs.push(bug)))

function counted(name: string, isDue: DueCheck['isDue']) {
  const one = { name, isDue, woken: 0, wake: () => void (one.woken += 1) }
  return one
}

test('wakes a part repeatedly while it is due, and no other part', async () => {
  const [dueCheck, notDue, unknown] = [
    counted('due', sql<boolean>`true`),
    counted('not due', sql<boolean>`false`),
    counted('nothing there', sql<boolean>`(select true where false)`),
  ]
  watch([dueCheck, notDue, unknown])
  await expect.poll(() => dueCheck.woken, WAIT_OPTIONS).toBeGreaterThan(1)
  expect([notDue.woken, unknown.woken]).toEqual([0, 0])
  expect(bugs).toEqual([])
})

test('wakes all parts if one check fails, and reports the bug', async () => {
  const [broken, other] = [
    counted('broken', sql<boolean>`(select true from no_such_table)`),
    counted('other', sql<boolean>`false`),
  ]
  watch([broken, other])
  await expect.poll(() => Math.min(broken.woken, other.woken), WAIT_OPTIONS).toBeGreaterThan(0)
  expect(bugs[0]).toMatchObject({ code: '42P01' })
})

test('picks up rows that change without a notification', async () => {
  let steps = 0
  const loop = startLoop(
    {
      table: 'task',
      step: async () => {
        steps += 1
        return { next: 3_600 }
      },
    },
    { db, concurrency: 4, leaseSeconds: 5, onBug: (bug) => bugs.push(bug) },
  )
  running.push(loop)
  watch(loop.dueChecks)
  await sql`insert into task (name, every) values ('by hand', 1)`.execute(db)
  await expect.poll(() => steps, WAIT_OPTIONS).toBe(1)
  await expect
    .poll(async () => (await sql`select from task where leased_until is null`.execute(db)).rows.length, WAIT_OPTIONS)
    .toBe(1)
  await sql`update task set reconcile_at = portal_now()`.execute(db)
  await expect.poll(() => steps, WAIT_OPTIONS).toBe(2)
  expect(bugs).toEqual([])
})
