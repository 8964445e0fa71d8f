import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { BilledMachine } from '../../../providers/power-record.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { setPortalClock } from '#test/clock.ts'
import { makePlace, type Place } from '#test/told-machines.ts'
import { comparedDays, compareDay, daysToCompare } from './reconciliation.ts'

let portal: TestPortal
let place: Place

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  await setPortalClock(portal.owner, new Date('2026-11-10T00:30:00Z'))
  await sql`delete from reconciliation_difference`.execute(portal.owner)
  await sql`delete from reconciliation`.execute(portal.owner)
  await sql`truncate run`.execute(portal.owner)
  place = await makePlace(portal.app)
})

const DAY = '2026-11-09'
const at = (time: string) => new Date(`2026-11-${time}Z`)

/** A machine that ran so; null: it runs on. */
async function ran(name: string, ...runs: readonly (readonly [string, string | null])[]) {
  const id = await place.add({ name })
  for (const [from, to] of runs) {
    await sql`
      insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, opened_by, closed_by)
      select id, organisation_id, ${at(from)}, ${to === null ? null : at(to)}, paise_per_hour, 'start accepted',
        ${to === null ? null : 'stop accepted'} from machine where id = ${id}`.execute(portal.owner)
  }
  return id
}

async function compare(...theirs: BilledMachine[]) {
  const asked: Date[] = []
  const record = {
    billedBetween: async (from: Date, to: Date) => {
      asked.push(from, to)
      return theirs
    },
  }
  const found = await compareDay(portal.app.db, record, DAY, AbortSignal.timeout(20_000))
  expect(asked).toEqual([at('09T00:00:00'), at('10T00:00:00')])
  return found.toSorted((a, b) => a.machine_name.localeCompare(b.machine_name))
}
const billed = (name: string, seconds: number): BilledMachine => ({ name, id: null, seconds })

test('of a day only what lies in it is compared, to the second', async () => {
  await ran('within', ['09T01:00:00', '09T02:00:00'], ['09T03:00:00', '09T03:00:01'])
  await ran('across', ['08T23:00:00', '09T00:00:10'], ['09T23:59:00', '10T00:10:00'])
  await ran('whole', ['08T00:00:00', null])
  await ran('begun', ['09T23:00:00', null])
  await ran('before', ['08T23:00:00', '09T00:00:00'])
  await ran('after', ['10T00:00:00', null])
  await ran('empty', ['09T05:00:00', '09T05:00:00'])
  const theirs = [billed('within', 3_601), billed('across', 70), billed('whole', 86_400), billed('begun', 3_600)]
  expect(await compare(...theirs)).toEqual([])
  const seconds = 3_601 + 70 + 86_400 + 3_600
  expect(await comparedDays(portal.app.db)).toMatchObject([
    { date: DAY, machines: 4, secondsHere: seconds, secondsThere: seconds, differences: [] },
  ])
})

test('what differs is kept by machine, with what either says, whoever does not know of it', async () => {
  const more = await ran('more', ['09T01:00:00', '09T02:00:00'])
  const alone = await ran('alone', ['09T01:00:00', '09T01:00:09'])
  await ran('alike', ['09T01:00:00', '09T01:10:00'])
  const found = await compare(billed('more', 3_000), billed('more', 590), billed('theirs', 7), billed('alike', 600))
  expect(found).toEqual([
    { machine_name: 'alone', machine_id: alone, seconds_here: 9, seconds_there: 0 },
    { machine_name: 'more', machine_id: more, seconds_here: 3_600, seconds_there: 3_590 },
    { machine_name: 'theirs', machine_id: null, seconds_here: 0, seconds_there: 7 },
  ])
  const [day] = await comparedDays(portal.app.db)
  const organization = expect.stringMatching(/^place/)
  expect(day).toMatchObject({ machines: 4, secondsHere: 4_209, secondsThere: 4_197 })
  expect(day!.differences).toEqual([
    { machine: 'alone', organization, secondsHere: 9, secondsThere: 0 },
    { machine: 'more', organization, secondsHere: 3_600, secondsThere: 3_590 },
    { machine: 'theirs', organization: null, secondsHere: 0, secondsThere: 7 },
  ])
})

test('a day is compared once: what is said of it later changes nothing', async () => {
  await compare(billed('theirs', 7))
  await compare(billed('others', 9))
  expect(await comparedDays(portal.app.db)).toMatchObject([{ secondsThere: 7, differences: [{ machine: 'theirs' }] }])
})

const compared = (...days: string[]) =>
  sql`
    insert into reconciliation (day, compared_at, machines, seconds_here, seconds_there)
    select day, portal_now(), 0, 0, 0 from unnest(${days}::date[]) as day`.execute(portal.owner)

test('at first yesterday is to be compared, and then what was left out since, of a week at most', async () => {
  const days = () => daysToCompare(portal.app.db)
  expect(await days()).toEqual(['2026-11-09'])
  await compared('2026-11-06')
  expect(await days()).toEqual(['2026-11-07', '2026-11-08', '2026-11-09'])
  await compared('2026-11-09')
  expect(await days()).toEqual([])
  await sql`delete from reconciliation`.execute(portal.owner)
  await compared('2026-10-01')
  expect(await days()).toEqual(['03', '04', '05', '06', '07', '08', '09'].map((day) => `2026-11-${day}`))
})
