import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { setPortalClock } from '#test/clock.ts'
import { addTraining, type TestTraining } from '#test/scripted-cloud.ts'
import { correctFutureRuns } from './future-runs.ts'

let portal: TestPortal
let place: TestTraining
const NOW = Date.parse('2026-11-10T10:00:00Z')
const after = (seconds: number) => new Date(NOW + seconds * 1000)

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  await setPortalClock(portal.owner, after(0))
  place = await addTraining(portal.app)
})
afterAll(() => portal.close())

type Seconds = number | null
/** Start, stop, and the instants that the provider reported for both, in seconds from now. */
type Run = readonly [start: number, stop: Seconds, opened?: Seconds, closed?: Seconds]

async function correctedRuns(runs: readonly Run[]): Promise<[number, Seconds][]> {
  const id = await place.add({ created_at: after(-3_600) })
  const instant = (seconds: Seconds | undefined) => (seconds === undefined || seconds === null ? null : after(seconds))
  for (const [start, stop, opened, closed] of runs) {
    await sql`
      insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, opened_by, opened_told_at,
        closed_by, closed_told_at)
      select id, organisation_id, ${instant(start)}, ${instant(stop)}::timestamptz, paise_per_hour, 'start accepted',
        ${instant(opened)}, ${stop === null ? null : 'stop accepted'}, ${instant(closed)} from machine where id = ${id}`.execute(
      portal.owner,
    )
  }
  await portal.owner.transaction().execute(correctFutureRuns)
  const { rows } = await sql<{ start: Date; stop: Date | null }>`
    select started_at as start, stopped_at as stop from run where machine_id = ${id} order by id`.execute(portal.owner)
  const seconds = (date: Date) => (date.getTime() - NOW) / 1000
  return rows.map(({ start, stop }) => [seconds(start), stop === null ? null : seconds(stop)])
}

test.each<[string, readonly Run[], readonly (readonly [number, Seconds])[]]>([
  ['in the past stay unchanged', [[-500, -400, -501, -399]], [[-500, -400]]],
  [
    'in the past stay unchanged next to a future one',
    [
      [-500, -400, -501, -399],
      [100, null],
    ],
    [
      [-500, -400],
      [0, null],
    ],
  ],
  ['that start in the future start when the provider reported', [[7_000, null, -200]], [[-200, null]]],
  ['that the provider reported to start in the future start now', [[7_000, null, 6_900]], [[0, null]]],
  ['in the future without a report start now', [[7_000, null]], [[0, null]]],
  ['that end in the future end when the provider reported', [[-900, 7_000, null, -100]], [[-900, -100]]],
  ['that end in the future without a report end now', [[-900, 7_000]], [[-900, 0]]],
  ['that end in the future never end before their start', [[-900, 7_000, null, -1_000]], [[-900, -900]]],
  ['never start before the order of the machine', [[7_000, null, -4_000]], [[-3_600, null]]],
  [
    'never start before the previous run ended',
    [
      [-900, 6_000, null, -300],
      [7_000, 7_100, -400, -100],
    ],
    [
      [-900, -300],
      [-300, -100],
    ],
  ],
])('runs %s', async (_, runs, corrected) => {
  expect(await correctedRuns(runs)).toEqual(corrected)
})
