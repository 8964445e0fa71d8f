import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { clearLogs } from './clear-logs.ts'
import { billByMachine, updateRunTotals } from './queries.ts'
import { changeRuns } from './runs.ts'
import { addMachine, makeTraining } from './test-runs.ts'

const { db } = await sharedDatabase({ size: 3 })
const place = await makeTraining(db, 'Summed')
const machine = (name: string) => addMachine(db, place, name, 1_000, [])

const at = (second: number) => new Date(Date.parse('2026-02-02T09:00:00Z') + second * 1000)
const row = (id: MachineId, start: number, stop: number | null) => ({
  machine_id: id,
  organisation_id: place.organisation,
  started_at: at(start),
  stopped_at: stop === null ? null : at(stop),
  paise_per_hour: paise(1_000),
})

/** Changes the runs of a machine as the writer of observations does. */
async function change(id: MachineId, second: number, made: { opens: Date } | { closes: Date }): Promise<void> {
  const machine = { id, organisation_id: place.organisation, paise_per_hour: paise(1_000), created_at: at(-60) }
  await db.transaction().execute((tx) => changeRuns(tx, [{ machine, cause: 'imported', ...made }], at(second)))
}
const opens = (id: MachineId, second: number) => change(id, second, { opens: at(second) })
const closes = (id: MachineId, second: number) => change(id, second, { closes: at(second) })

/** Returns the stored sums: number of runs, seconds, and seconds times price. */
async function totalOf(id: MachineId): Promise<readonly number[] | undefined> {
  const total = await db.selectFrom('run_total').selectAll().where('machine_id', '=', id).executeTakeFirst()
  return total && [total.runs, total.seconds, Number(total.paise_seconds)]
}

test('updates the sum of ended runs when a run ends', async () => {
  const [id, other] = [await machine('changed'), await machine('other')]
  await opens(id, 0)
  await opens(other, 0)
  expect(await totalOf(id)).toBeUndefined()
  await closes(id, 60)
  expect(await totalOf(id)).toEqual([1, 60, 60_000])
  await opens(id, 100)
  expect(await totalOf(id)).toEqual([1, 60, 60_000])
  await closes(id, 140)
  expect(await totalOf(id)).toEqual([2, 100, 100_000])
  expect(await totalOf(other)).toBeUndefined()
})

test('corrects the sums of changed and deleted runs', async () => {
  const id = await machine('corrected')
  const update = () => db.transaction().execute((tx) => updateRunTotals(tx, [id]))
  await opens(id, 0)
  await closes(id, 60)
  await db
    .insertInto('run')
    .values([row(id, 100, 140), row(id, 200, 230), row(id, 300, null)])
    .execute()
  await update()
  expect(await totalOf(id)).toEqual([3, 130, 130_000])
  await db.deleteFrom('run').where('machine_id', '=', id).where('started_at', '=', at(0)).execute()
  await update()
  expect(await totalOf(id)).toEqual([2, 70, 70_000])
  await db.deleteFrom('run').where('machine_id', '=', id).execute()
  await update()
  expect(await totalOf(id)).toEqual([0, 0, 0])
})

test('sums the runs of two transactions that end runs of a machine concurrently', async () => {
  const id = await machine('concurrent')
  const add = async (tx: Tx, start: number, stop: number) => {
    await tx
      .insertInto('run')
      .values(row(id, start, stop))
      .execute()
    await updateRunTotals(tx, [id])
  }
  let second: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await add(tx, 0, 10)
    second = db.transaction().execute((other) => add(other, 20, 25))
    await untilWaitingForLock(db, 1)
  })
  await second
  expect(await totalOf(id)).toEqual([2, 15, 15_000])
})

test('does not change the sums when runs are hidden', async () => {
  const ids = [await machine('shown'), await machine('hidden')]
  for (const id of ids)
    for (const [start, stop] of [
      [0, 60],
      [100, 130],
    ] as const) {
      await opens(id, start)
      await closes(id, stop)
    }
  await opens(ids[1]!, 200)
  await db.transaction().execute((tx) => clearLogs(tx, place.id))
  for (const id of ids) expect(await totalOf(id)).toEqual([2, 90, 90_000])
  const sums = (await brokenInvariants(db, { quiet: false })).filter(({ name }) => name === 'M4')
  expect(sums).toEqual([])
})

test('bills the open run and the sum of ended runs, and rounds once per machine', async () => {
  const id = await machine('open')
  await opens(id, 0)
  await closes(id, 1)
  await opens(id, 10)
  await closes(id, 11)
  await opens(id, 20)
  const { rows } = await sql<{ runs: number; seconds: number; amount: number; now: Date }>`
    select runs, seconds, amount::int, date_trunc('second', portal_now()) as now
    from ${billByMachine(sql`select ${id}::uuid`)} as bill`.execute(db)
  const [{ runs, seconds, amount, now }] = rows as [(typeof rows)[number]]
  const open = (now.getTime() - at(20).getTime()) / 1000
  expect([runs, seconds, amount]).toEqual([3, open + 2, Math.round(((open + 2) * 1_000) / 3_600)])
})
