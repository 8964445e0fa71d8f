import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { setPortalClock } from '#test/clock.ts'
import { makePlace, type Place } from '#test/told-machines.ts'
import { bringRunsBack } from './future-runs.ts'

let portal: TestPortal
let place: Place
const NOW = Date.parse('2026-11-10T10:00:00Z')
const after = (seconds: number) => new Date(NOW + seconds * 1000)

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  await setPortalClock(portal.owner, after(0))
  place = await makePlace(portal.app)
})
afterAll(() => portal.close())

type Seconds = number | null
/** Start, stop, and what the provider told of both, in seconds from now. */
type Run = readonly [start: number, stop: Seconds, opened?: Seconds, closed?: Seconds]

async function broughtBack(runs: readonly Run[]): Promise<[number, Seconds][]> {
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
  await portal.owner.transaction().execute(bringRunsBack)
  const { rows } = await sql<{ start: Date; stop: Date | null }>`
    select started_at as start, stopped_at as stop from run where machine_id = ${id} order by id`.execute(portal.owner)
  const seconds = (date: Date) => (date.getTime() - NOW) / 1000
  return rows.map(({ start, stop }) => [seconds(start), stop === null ? null : seconds(stop)])
}

test.each<[string, readonly Run[], readonly (readonly [number, Seconds])[]]>([
  ['that lie in the past stay', [[-500, -400, -501, -399]], [[-500, -400]]],
  [
    'that lie in the past stay beside one that does not',
    [
      [-500, -400, -501, -399],
      [100, null],
    ],
    [
      [-500, -400],
      [0, null],
    ],
  ],
  ['that begin ahead begin when the provider told', [[7_000, null, -200]], [[-200, null]]],
  ['that begin ahead of what the provider told begin now at the latest', [[7_000, null, 6_900]], [[0, null]]],
  ['of which nothing was told begin now', [[7_000, null]], [[0, null]]],
  ['that end ahead end when the provider told', [[-900, 7_000, null, -100]], [[-900, -100]]],
  ['that end ahead, of which nothing was told, end now', [[-900, 7_000]], [[-900, 0]]],
  ['that end ahead end no sooner than they began', [[-900, 7_000, null, -1_000]], [[-900, -900]]],
  ['begin no sooner than the machine was ordered', [[7_000, null, -4_000]], [[-3_600, null]]],
  [
    'begin no sooner than the one before ended',
    [
      [-900, 6_000, null, -300],
      [7_000, 7_100, -400, -100],
    ],
    [
      [-900, -300],
      [-300, -100],
    ],
  ],
])('runs %s', async (_, runs, brought) => {
  expect(await broughtBack(runs)).toEqual(brought)
})
