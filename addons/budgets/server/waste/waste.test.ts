import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { waste } from '../../contract/waste.ts'
import { NO_SAVING } from '../../contract/waste-words.ts'
import { machinesOf, order, people, RATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { type Day, propose, type ActivityPeriod } from './propose.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Paise per hour, including ₹5 for browser access. */
const PAISE = RATE + 500

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await sql`update organisation set time_zone = 'UTC' where id = ${acme}`.execute(env.db)
// The test starts on Monday at 08:00. The previous week is inserted as data; the following week is simulated.
do await env.stepToHour(8)
while (env.now().getUTCDay() !== 1)
await env.worker()

type Training = ReplyOf<typeof waste.list>['trainings'][number]
const listed = async (name: string): Promise<Training | undefined> =>
  (await admin('GET', '/waste')).body.trainings.find(({ trainingName }: Training) => trainingName === name)
const proposed = async (name: string) => (await admin('GET', `/waste/schedule?trainingName=${name}`)).body
const settled = (name: string, status: string) =>
  until(
    `${name} is ${status}`,
    () => machinesOf(admin, name),
    (machines) => machines.length > 0 && machines.every((machine) => machine.status === status),
  )
async function power(name: string, operation: 0 | 1) {
  const places = (await machinesOf(admin, name)).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
  expect((await admin('PATCH', '/azure/machines', [{ operation }, ...places])).status).toBe(200)
}
const bill = async (name: string) => (await admin('GET', `/azure/billing?trainingName=${name}`)).body.Duration as number

test(
  'proposes a shutdown for idle nights that saves the predicted amount when it is scheduled',
  { tags: ['storm'] },
  async () => {
    await admin('POST', '/azure/machines', order('Nights', people(1)))
    await settled('Nights', 'Running')
    await power('Nights', 0)
    await settled('Nights', 'Stopped')
    expect(await proposed('Nights')).toMatchObject({ rule: null, reason: NO_SAVING.unmeasured })
    const before = await bill('Nights')

    // In the previous week the machine ran from Monday 09:00 to Friday 17:00 and was used from 09:00 to 17:00 each day,
    // so that it was idle on four nights of 16 hours.
    const monday = new Date(env.now().getTime() - 7 * DAY).setUTCHours(0, 0, 0, 0)
    const at = (day: number, hour: number) => new Date(monday + day * DAY + hour * HOUR)
    await sql`update machine set created_at = ${at(0, 8)}`.execute(env.db)
    await sql`
    insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, opened_by, opened_told_at,
      closed_by, closed_told_at)
    select id, organisation_id, ${at(0, 9)}, ${at(4, 17)}, paise_per_hour, 'start accepted', ${at(0, 9)},
      'stop accepted', ${at(4, 17)} from machine`.execute(env.db)
    await updateRunSums(env.db)
    const stretch = (began: Date, ended: Date, idle: boolean) =>
      sql`insert into activity_stretch (machine_id, organisation_id, training_id, began_at, ended_at, idle, paise_per_hour)
      select id, organisation_id, training_id, ${began}, ${ended}, ${idle}, paise_per_hour from machine`.execute(env.db)
    for (let day = 0; day < 5; day += 1) {
      await stretch(at(day, 9), at(day, 17), false)
      if (day < 4) await stretch(at(day, 17), at(day + 1, 9), true)
    }
    expect(await listed('Nights')).toMatchObject({ idleSeconds: 64 * 3600, lostPaiseAWeek: 64 * PAISE })
    const proposal = await proposed('Nights')
    expect(proposal).toMatchObject({
      rule: { action: 'Stop', time: '17:00', weekdays: [1, 2, 3, 4] },
      savedPaiseAWeek: 64 * PAISE,
      savedSecondsAWeek: 64 * 3600,
      stopsAWeek: 4,
      conflicts: [],
    })
    expect((await admin('POST', '/azure/schedules/weekly', { trainingName: 'Nights', ...proposal.rule })).status).toBe(
      200,
    )

    // Simulates the same week. Machines are started each morning, and a user shuts them down on Friday only.
    for (let day = 0; day < 5; day += 1) {
      await env.stepToHour(9)
      await power('Nights', 1)
      await settled('Nights', 'Running')
      await env.stepToHour(17)
      if (day === 4) await power('Nights', 0)
      await settled('Nights', 'Stopped')
    }
    const hoursWithout = 104
    const hoursWith = (await bill('Nights')) - before - hoursWithout
    expect(((hoursWithout - hoursWith) * PAISE) / proposal.savedPaiseAWeek).toBeCloseTo(1, 1.5)
    expect(env.bugs).toEqual([])
  },
)

test('proposes no shutdown at a time with use, a lunch break or unmeasured time', () => {
  const hours = (began: number, ended: number, idle: boolean, machine = 'a'): ActivityPeriod => {
    return { machine, began: began * HOUR, ended: ended * HOUR, idle, paisePerHour: 100 }
  }
  const monday: Day[] = [{ weekday: 1, at: (time) => (Number(time.slice(0, 2)) + Number(time.slice(3)) / 60) * HOUR }]
  const runs = [{ machine: 'a', began: 9 * HOUR, ended: 23 * HOUR }]
  const day = [hours(9, 12, false), hours(12, 13, true), hours(13, 18, false), hours(18, 23, true)]
  expect(propose(day, runs, monday)).toMatchObject({ time: '18:00', weekdays: [1], paise: 500, stops: 1 })
  const late = [...day, hours(9, 20, false, 'b'), hours(20, 23, true, 'b')]
  expect(propose(late, [...runs, { ...runs[0]!, machine: 'b' }], monday)).toMatchObject({ time: '20:00', paise: 600 })
  expect(propose(day, [...runs, { ...runs[0]!, machine: 'c' }], monday)).toBeNull()
  expect(propose([hours(9, 12, false), hours(12, 13, true), hours(13, 23, false)], runs, monday)).toBeNull()
})
