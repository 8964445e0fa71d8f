import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import { sharedDatabase } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { clearLogs } from './clear-logs.ts'
import { billByMachine } from './queries.ts'
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
const insert = (...rows: ReturnType<typeof row>[]) => db.insertInto('run').values(rows).execute()
const runsFrom = (id: MachineId, start: number) =>
  db.updateTable('run').where('machine_id', '=', id).where('started_at', '=', at(start))

/** Returns the stored sums: number of runs, seconds, and seconds times price. */
async function totalOf(id: MachineId): Promise<readonly number[] | undefined> {
  const total = await db.selectFrom('run_total').selectAll().where('machine_id', '=', id).executeTakeFirst()
  return total && [total.runs, total.seconds, Number(total.paise_seconds)]
}

test('updates the sum of ended runs when a run ends, is inserted, changed or deleted', async () => {
  const id = await machine('changed')
  await insert(row(id, 0, null))
  expect(await totalOf(id)).toBeUndefined()
  await runsFrom(id, 0)
    .set({ stopped_at: at(60) })
    .execute()
  expect(await totalOf(id)).toEqual([1, 60, 60_000])
  await insert(row(id, 100, 140), row(id, 200, 230), row(id, 300, null))
  expect(await totalOf(id)).toEqual([3, 130, 130_000])
  await runsFrom(id, 100)
    .set({ stopped_at: at(120) })
    .execute()
  expect(await totalOf(id)).toEqual([3, 110, 110_000])
  await db.deleteFrom('run').where('machine_id', '=', id).where('started_at', '=', at(0)).execute()
  expect(await totalOf(id)).toEqual([2, 50, 50_000])
  await db.deleteFrom('run').where('machine_id', '=', id).execute()
  expect(await totalOf(id)).toEqual([0, 0, 0])
})

test('does not change the sums when runs are hidden', async () => {
  const ids = [await machine('shown'), await machine('hidden')]
  for (const id of ids) await insert(row(id, 0, 60), row(id, 100, 130))
  await insert(row(ids[1]!, 200, null))
  await db.transaction().execute((tx) => clearLogs(tx, place.id))
  for (const id of ids) expect(await totalOf(id)).toEqual([2, 90, 90_000])
  const sums = (await brokenInvariants(db, { quiet: false })).filter(({ name }) => name === 'M4')
  expect(sums).toEqual([])
})

test('bills the open run and the sum of ended runs, and rounds once per machine', async () => {
  const id = await machine('open')
  await insert(row(id, 0, 1), row(id, 10, 11), row(id, 20, null))
  const { rows } = await sql<{ runs: number; seconds: number; amount: number; now: Date }>`
    select runs, seconds, amount::int, date_trunc('second', portal_now()) as now
    from ${billByMachine(sql`select ${id}::uuid`)} as bill`.execute(db)
  const [{ runs, seconds, amount, now }] = rows as [(typeof rows)[number]]
  const open = (now.getTime() - at(20).getTime()) / 1000
  expect([runs, seconds, amount]).toEqual([3, open + 2, Math.round(((open + 2) * 1_000) / 3_600)])
})
