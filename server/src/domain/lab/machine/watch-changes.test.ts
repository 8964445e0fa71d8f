import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { until } from '#test/until.ts'
import { followMachineChanges, type MachineChanges } from './watch.ts'
import { sharedDatabase } from '#test/shared.ts'

const database = await sharedDatabase()
const { db } = database
let changes: MachineChanges
afterAll(async () => {
  await changes.close()
})

const training = () => randomUUID() as TrainingId
const machine = () => randomUUID() as MachineId
const change = (of: TrainingId, one: MachineId) =>
  sql`select pg_notify('machine_changed', ${`${of} ${one}`})`.execute(db)

/** Returns all that a follower of a training is told, time by time. */
function follower(of: TrainingId) {
  const told: (readonly MachineId[] | null)[] = []
  const { letGo } = changes.follow(of, (machines) => void told.push(machines))
  return {
    told,
    letGo,
    heard: (count: number) =>
      until(
        'it is told',
        async () => told.length,
        (now) => now >= count,
      ),
  }
}

test('a follower of a training hears of each change once, also when the line broke', async () => {
  // Made here: its followers must be there when its line stands for the first time.
  changes = followMachineChanges({ connectionString: database.url })
  const [mine, other] = [training(), training()]
  const [one, two, three] = [machine(), machine(), machine()]
  const [watching, beside, elsewhere] = [follower(mine), follower(mine), follower(other)]
  // The line stands: all that was before may have been missed.
  await watching.heard(1)
  expect(watching.told).toEqual([null])
  await change(mine, one)
  await change(mine, two)
  await change(mine, one)
  await watching.heard(2)
  expect(watching.told[1]?.toSorted()).toEqual([one, two].toSorted())
  await change(mine, three)
  await watching.heard(3)
  expect(watching.told[2]).toEqual([three])

  // Whoever is let go hears nothing more, not even what was gathered; who stays does.
  await change(mine, one)
  watching.letGo()
  await beside.heard(4)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(db)
  await beside.heard(5)
  expect(beside.told.slice(3)).toEqual([[one], null])
  await change(mine, two)
  await beside.heard(6)
  expect(beside.told[5]).toEqual([two])
  expect(watching.told).toHaveLength(3)
  // Nothing of it was told elsewhere but that the line was new.
  expect(new Set(elsewhere.told)).toEqual(new Set([null]))
  beside.letGo()
  elsewhere.letGo()
})
