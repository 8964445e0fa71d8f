import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { addMachine, makeTraining } from './test-runs.ts'

const { db } = await sharedDatabase({ size: 3 })
const place = await makeTraining(db, 'Kept apart')
const machine = (name: string) => addMachine(db, place, name, 100, [])

const at = (second: number) => new Date(Date.parse('2026-02-02T09:00:00Z') + second * 1000)
const insert = (on: Db | Tx, id: MachineId, start: number, stop: number | null) =>
  on
    .insertInto('run')
    .values({
      machine_id: id,
      organisation_id: place.organisation,
      started_at: at(start),
      stopped_at: stop === null ? null : at(stop),
      paise_per_hour: paise(100),
    })
    .execute()
const OVERLAP = { code: '23P01', constraint: 'run_apart' }

test('finds the open run of a machine while other rows are inserted during the scan', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => machine(`seen-${n}`)))
  for (const id of ids) await insert(db, id, 0, null)
  await db
    .updateTable('run')
    .set({ stopped_at: at(5) })
    .where('machine_id', 'in', ids)
    .execute()
  for (const id of ids) await insert(db, id, 5, null)
  const openOf = sql`select r.id from machine m left join run r on r.machine_id = m.id and r.stopped_at is null
    where m.name like 'seen-%' order by m.id`
  await db.transaction().execute(async (tx) => {
    // Forces the plan that the planner chooses for tables without statistics.
    for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
      await sql.raw(`set local enable_${way} = off`).execute(tx)
    await sql`declare look cursor for ${openOf}`.execute(tx)
    await sql`fetch 20 from look`.execute(tx)
    for (let n = 0; n < 80; n++) await insert(db, await machine(`later-${n}`), 0, null)
    await sql`fetch all from look`.execute(tx)
    const { rows } = await sql<{ id: number | null }>`${openOf}`.execute(tx)
    expect(rows.filter(({ id }) => id === null)).toEqual([])
  })
})

test.each([
  ['the same period', 10, 20],
  ['one that starts inside', 19, 30],
  ['one that ends inside', 0, 11],
  ['one that contains it', 5, 25],
  ['one contained in it', 12, 13],
  ['an open one that started before', 5, null],
])('refuses a run that overlaps another of its machine: %s', async (what, start, stop) => {
  const id = await machine(what)
  await insert(db, id, 10, 20)
  await expect(insert(db, id, start, stop)).rejects.toMatchObject(OVERLAP)
})

test('allows adjacent runs and runs of zero length', async () => {
  const id = await machine('touching')
  await insert(db, id, 10, 20)
  await insert(db, id, 0, 10)
  await insert(db, id, 15, 15)
  await insert(db, id, 20, null)
  await expect(insert(db, id, 30, 40)).rejects.toMatchObject(OVERLAP)
  await insert(db, await machine('another'), 12, 40)
})

test('refuses to extend a run so that it overlaps another run', async () => {
  const id = await machine('extended')
  await insert(db, id, 10, 20)
  await insert(db, id, 30, 40)
  const extend = db.updateTable('run').where('machine_id', '=', id).where('started_at', '=', at(10))
  await expect(extend.set({ stopped_at: at(31) }).execute()).rejects.toMatchObject(OVERLAP)
  await extend.set({ stopped_at: at(30) }).execute()
})

test('refuses one of two overlapping runs that are written concurrently', async () => {
  const id = await machine('at once')
  let second: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await insert(tx, id, 10, 20)
    second = insert(db, id, 15, 25).then(
      () => null,
      (error: unknown) => error,
    )
    await untilWaitingForLock(db, 1)
  })
  expect(await second).toMatchObject(OVERLAP)
})
