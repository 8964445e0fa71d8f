import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addMachine, makeTraining, type Place } from '@trainyard/usage/server/test-runs.ts'
import { fireDue, fireIfDue, untilNextFires } from './fire.ts'
import { schedulesOf } from './list.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'

const { db } = await sharedDatabase()
beforeEach(() => sql`update schedule set completed_at = coalesce(completed_at, portal_now())`.execute(db))

const fire = () => db.transaction().execute((tx) => fireDue(tx))
let trainings = 0
let groups = 0
const training = () => makeTraining(db, `Fired ${trainings++}`)

async function plan(at: Place, seconds: number, action: 'Start' | 'Stop' = 'Start'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into schedule (training_id, organisation_id, action, date, time, time_zone, fires_at, created_by)
    values (${at.id}, ${at.organisation}, ${action}, '2026-01-01', '09:00', 'Asia/Kolkata',
      portal_now() + make_interval(secs => ${seconds}), 'admin') returning id`.execute(db)
  return rows[0]!.id
}

async function stateOf(...ids: readonly string[]) {
  const { rows } = await sql<{ id: string; state: string | null }>`
    select id, case when missed then 'missed' when completed_at is not null then 'fired' end as state from schedule
    where id = any(${ids}::uuid[])`.execute(db)
  return ids.map((id) => rows.find((row) => row.id === id)?.state ?? null)
}

async function addMachines(at: Place, count: number): Promise<void> {
  const group = `m${groups++}-`
  const first = await addMachine(db, at, `${group}0`, 1000, [])
  await sql`
    insert into machine (name, organisation_id, training_id, order_id, email, ordered_for, provider, place, size,
      image, os, licence, admin_username, admin_password, guacamole, paise_per_hour)
    select ${group} || n, organisation_id, training_id, order_id, n || email, n || email, provider, place,
      size, image, os, licence, admin_username, admin_password, guacamole, paise_per_hour
    from machine, generate_series(1, ${count - 1}) as n where id = ${first}`.execute(db)
}

test('executes due schedules, but neither removed ones nor late ones, which are missed', async () => {
  const [a, b, c, d, e] = await Promise.all([training(), training(), training(), training(), training()])
  const [due, alsoDue, overdue, removed, notDue] = await Promise.all([
    plan(a, -1),
    plan(b, -60),
    plan(c, -86_400),
    plan(d, -1),
    plan(e, 600),
  ])
  await sql`update schedule set removed_at = portal_now() where id = ${removed}`.execute(db)
  expect(await fire()).toBe(3)
  expect(await stateOf(due, alsoDue, overdue, removed, notDue)).toEqual(['fired', 'fired', 'missed', null, null])
  expect(await fire()).toBe(0)
  // Seconds until schedules are checked again: until the next one is due, at most the given time, and zero if some were
  // executed.
  const pause = await fireIfDue(db, 3_600)
  expect(pause).toBeGreaterThan(500)
  expect(pause).toBeLessThanOrEqual(600)
  expect(await fireIfDue(db, 5)).toBe(5)
  await plan(a, -1)
  expect(await fireIfDue(db, 5)).toBe(0)
  const wait = (await untilNextFires(db))!
  expect(wait).toBeGreaterThan(500_000)
  expect(wait).toBeLessThanOrEqual(600_000)
})

test('returns the longest pause if there is no schedule', async () => {
  await sql`delete from schedule`.execute(db)
  expect(await untilNextFires(db)).toBeNull()
})

test('executes the earliest schedule of a training first, and later ones after it is done', async () => {
  const at = await training()
  const [start, stop] = [await plan(at, -2), await plan(at, -1, 'Stop')]
  expect(await fire()).toBe(1)
  expect(await stateOf(start, stop)).toEqual(['fired', null])
  expect(await fire()).toBe(1)
  expect(await stateOf(start, stop)).toEqual(['fired', 'fired'])
})

test('executes up to a thousand machines together, splits larger sets, and runs a larger schedule alone', async () => {
  const [fullTraining, smallTraining, hugeTraining, last] = [
    await training(),
    await training(),
    await training(),
    await training(),
  ]
  await addMachines(fullTraining, 999)
  await addMachines(smallTraining, 1)
  await addMachines(hugeTraining, 1_001)
  await addMachines(last, 1)
  const ids = [
    await plan(fullTraining, -4),
    await plan(smallTraining, -3),
    await plan(hugeTraining, -2),
    await plan(last, -1),
  ]
  expect(await fire()).toBe(2)
  expect(await stateOf(...ids)).toEqual(['fired', 'fired', null, null])
  expect(await fire()).toBe(1)
  expect(await stateOf(...ids)).toEqual(['fired', 'fired', 'fired', null])
  expect(await fire()).toBe(1)
  expect(await stateOf(...ids)).toEqual(['fired', 'fired', 'fired', 'fired'])
})

test("names three machines per outcome in a schedule's result and counts the other machines", async () => {
  const at = await training()
  await addMachines(at, 14)
  const id = await plan(at, -1)
  await sql`
    insert into schedule_outcome (schedule_id, organisation_id, machine_id, outcome, reason)
    select ${id}, m.organisation_id, m.id, case when n <= 1 then 'acted' else 'skipped' end,
      case when n <= 1 then null when n = 2 then 'one' when n <= 5 then 'three' when n <= 9 then 'four' else 'many' end
    from (select *, row_number() over (order by number) as n from machine where training_id = ${at.id}) m`.execute(db)
  await sql`update schedule set completed_at = portal_now() where id = ${id}`.execute(db)
  const [firedRow] = await schedulesOf(db, at.id)
  expect(firedRow).toMatchObject({ _id: id, status: 'Completed', result: { acted: 1, skipped: 13, failed: 0 } })
  const { reasons } = firedRow!.result as { reasons: string[] }
  expect(reasons.map((reason) => reason.replaceAll(/m\d+-\d+/g, 'm')).toSorted()).toEqual([
    'm, m, m and 2 others: many.',
    'm, m, m and another: four.',
    'm, m, m: three.',
    'm: one.',
  ])
})

test('lists a schedule as pending, missed, or without machines', async () => {
  const at = await training()
  const [firedRow, missed, waits] = [await plan(at, -20), await plan(at, -10), await plan(at, 600)]
  await sql`update schedule set completed_at = portal_now() where id = ${firedRow}`.execute(db)
  await sql`update schedule set completed_at = portal_now(), missed = true where id = ${missed}`.execute(db)
  expect((await schedulesOf(db, at.id)).map(({ _id, status, result }) => [_id, status, result])).toEqual([
    [firedRow, 'Completed', { acted: 0, skipped: 0, failed: 0, reasons: [] }],
    [missed, 'Completed', 'missed'],
    [waits, 'Pending', null],
  ])
})
