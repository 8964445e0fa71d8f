import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Minutes } from '@trainyard/contract/words/duration.ts'
import type { MachineId, OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/contract/words/money.ts'
import { sharedPortal } from '#test/shared.ts'
import { makePlace, openRun, type Place } from '#test/told-machines.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import { setPortalClock } from '#test/clock.ts'
import type { BudgetRow } from '../../../db/schema/budget.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import { jobsIn } from '../../../worker/jobs.ts'
import { stopLeashed } from '../../lab/machine/stop-leashed.ts'
import { alertsFor } from './alerts-seen.ts'
import { forecastOf } from './forecast-of.ts'
import { judgeDue, judgeSoon } from './judge.ts'
import { leashesOf, refuseLeashedOrganisation } from './leash.ts'
import { alertQuotas } from './quotas.ts'

const portal = await sharedPortal()
const { app, owner } = portal
const jobs = jobsIn(owner)
/** Paise an hour of a machine. */
const HOUR = 1_250

let turns: Turns
let place: Place
let organisation: OrganisationId
let machine: MachineId

beforeEach(async () => {
  turns = await turnsOf(portal)
  await sql`delete from budget`.execute(owner)
  place = await makePlace(app)
  machine = await place.add({ observed: 'running', created_at: at(-200) })
  organisation = (await row()).organisation_id
})

/** Hours from now on; of the past where they are negative. */
const at = (hours: number) => turns.after(hours * 3_600)
const row = (id = machine) => turns.row<MachineRow>('machine', id)

/** A run that has ended, from so many hours ago on. */
async function ran(hours: number, id = machine, ago = hours): Promise<void> {
  await openRun(app, id, at(-ago))
  await sql`update run set stopped_at = ${at(hours - ago)}, closed_by = 'stop accepted' where machine_id = ${id}
    and stopped_at is null`.execute(owner)
}
async function budget(amount: number, more: Partial<BudgetRow> = {}): Promise<BudgetRow> {
  return owner
    .insertInto('budget')
    .values({
      organisation_id: organisation,
      training_id: place.training,
      amount_paise: amount as Paise,
      leash: false,
      set_by: 'admin@place.test',
      ...more,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
const judgeNow = () => owner.transaction().execute((tx) => judgeDue(tx, jobs))
const read = ({ id }: BudgetRow) =>
  owner.selectFrom('budget').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const audited = async (call: string): Promise<number> => {
  const { rows } = await sql`select from audit where call = ${call} and organisation_id = ${organisation}`.execute(
    owner,
  )
  return rows.length
}

describe('a budget is looked at again', () => {
  test.each([
    ['when the next part may be used up at the earliest', 2 * HOUR + 100, 144],
    ['when the next part but one may be, once the first is', 1_800, 547.2],
    ['after five seconds at least', 2 * HOUR + 2, 5],
    ['after ten minutes at most', 10 * HOUR, 600],
    ['after ten minutes where it is all used', HOUR, 600],
  ])('%s', async (_when, amount, seconds) => {
    await ran(1)
    const set = await budget(amount)
    expect(await judgeNow()).toBe(1)
    const { judge_at } = await read(set)
    expect((judge_at.getTime() - at(0).getTime()) / 1000).toBeCloseTo(seconds, 2)
    expect(await judgeNow()).toBe(0)
  })

  test('after ten minutes where nothing can run any more, and as soon as all that lives may run', async () => {
    await ran(1)
    const set = await budget(1_800)
    await place.add()
    await judgeNow()
    expect((await read(set)).judge_at.getTime() - at(0).getTime()).toBeCloseTo(547_200 / 2, 0)
    await sql`update machine set desired = 'gone', observed = 'absent', terminated_at = portal_now(), admin_password = null,
      reconcile_at = null where training_id = ${place.training}`.execute(owner)
    await sql`update budget set judge_at = portal_now()`.execute(owner)
    await judgeNow()
    expect((await read(set)).judge_at).toEqual(at(600 / 3_600))
  })

  test('when the month ends, where it is the organisation’s, by its own clocks', async () => {
    // Half a minute before December in Kolkata.
    await setPortalClock(owner, new Date('2026-11-30T18:29:30Z'))
    const [whole, course] = [await budget(10 * HOUR, { training_id: null }), await budget(10 * HOUR)]
    await judgeNow()
    expect((await read(whole)).judge_at).toEqual(new Date('2026-11-30T18:30:00Z'))
    expect((await read(course)).judge_at).toEqual(new Date('2026-11-30T18:39:30Z'))
  })

  test('soon, where a machine more may run: of its training and its organisation, and no other', async () => {
    const later = { judge_at: at(1) }
    const here = [await budget(10 * HOUR, later), await budget(10 * HOUR, { ...later, training_id: null })]
    const other = await owner
      .insertInto('training')
      .values({ organisation_id: organisation, name: `other ${randomUUID()}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const beside = await budget(HOUR, { ...later, training_id: other.id })
    const mine = { organisation_id: organisation, training_id: place.training }
    place = await makePlace(app)
    organisation = (await row(await place.add())).organisation_id
    const foreign = await budget(HOUR, { ...later, training_id: null })
    expect(await judgeNow()).toBe(0)
    await owner.transaction().execute((tx) => judgeSoon(tx, mine))
    for (const set of here) expect((await read(set)).judge_at).toEqual(at(0))
    for (const set of [beside, foreign]) expect((await read(set)).judge_at).toEqual(at(1))
  })

  test('not while another worker is at it, and not of an organisation that was removed', async () => {
    const set = await budget(HOUR, { judge_at: at(-1) })
    await owner.transaction().execute(async (tx) => {
      await sql`select from budget where id = ${set.id} for update`.execute(tx)
      expect(await judgeNow()).toBe(0)
    })
    await sql`update organisation set removed_at = portal_now() where id = ${organisation}`.execute(owner)
    expect(await judgeNow()).toBe(0)
    await sql`update organisation set removed_at = null where id = ${organisation}`.execute(owner)
    expect(await judgeNow()).toBe(1)
  })
})

describe('the leash of a budget', () => {
  const judgeAgain = async () => {
    await sql`update budget set judge_at = portal_now()`.execute(owner)
    await judgeNow()
  }

  test('is drawn when the very last paisa is used, once, and lets go when the budget is raised', async () => {
    await ran(1)
    const set = await budget(HOUR + 1, { leash: true })
    await judgeNow()
    expect((await read(set)).leashed_at).toBeNull()
    await sql`update budget set amount_paise = ${HOUR}`.execute(owner)
    await judgeAgain()
    expect((await read(set)).leashed_at).toEqual(at(0))
    await turns.wait(60)
    await judgeAgain()
    expect((await read(set)).leashed_at).toEqual(at(0))
    expect(await audited('budget.leash')).toBe(1)
    await sql`update budget set amount_paise = ${HOUR + 1}`.execute(owner)
    await judgeAgain()
    expect((await read(set)).leashed_at).toBeNull()
    expect(await audited('budget.leash')).toBe(1)
  })

  test('is not drawn without one', async () => {
    await ran(1)
    const set = await budget(HOUR, { leash: false })
    await judgeNow()
    expect((await read(set)).leashed_at).toBeNull()
    expect(await audited('budget.leash')).toBe(0)
  })

  test('of a training stops what is to run there, and nothing that is gone or elsewhere', async () => {
    const [off, failing] = [
      await place.add({ desired: 'stopped' }),
      await place.add({ restart_asked_at: at(0), last_error: 'No.', attempts: 2, reconcile_at: null }),
    ]
    const gone = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
    const ended = await place.add({ ...gone, terminated_at: at(-1) })
    const elsewhere = await (await makePlace(app)).add()
    const held = await budget(1, { leash: true, leashed_at: at(0) })
    const stop = () => owner.transaction().execute((tx) => stopLeashed(tx))
    expect(await stop()).toBe(2)
    expect(await row()).toMatchObject({ desired: 'stopped', generation: 1, pause: 0 })
    expect(await row(failing)).toMatchObject({ desired: 'stopped', restart_asked_at: null, generation: 1, pause: 0 })
    expect(await row(off)).toMatchObject({ desired: 'stopped', generation: 0 })
    expect(await row(ended)).toMatchObject({ desired: 'gone', generation: 0 })
    expect(await row(elsewhere)).toMatchObject({ desired: 'running', generation: 0 })
    expect(await stop()).toBe(0)

    // Another training's budget says nothing of this one, and a leash that let go nothing at all.
    await sql`update machine set desired = 'running' where id = ${machine}`.execute(owner)
    await sql`update budget set leashed_at = null where id = ${held.id}`.execute(owner)
    const { id } = await owner
      .insertInto('training')
      .values({ organisation_id: organisation, name: `other ${randomUUID()}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await budget(1, { training_id: id, leash: true, leashed_at: at(0) })
    expect(await stop()).toBe(0)
    await budget(1, { training_id: null, leash: true, leashed_at: at(0) })
    expect(await stop()).toBe(1)
    expect((await row(elsewhere)).desired).toBe('running')
  })

  test('stops others while somebody is at one machine', async () => {
    const another = await place.add()
    await budget(1, { leash: true, leashed_at: at(0) })
    await owner.transaction().execute(async (tx) => {
      await sql`select from machine where id = ${machine} for update`.execute(tx)
      expect(await owner.transaction().execute((other) => stopLeashed(other))).toBe(1)
    })
    expect([(await row()).desired, (await row(another)).desired]).toEqual(['running', 'stopped'])
  })

  test('is named by the sentence of its training, or of the organisation that it holds whole', async () => {
    const { name } = await owner
      .selectFrom('organisation')
      .select('name')
      .where('id', '=', organisation)
      .executeTakeFirstOrThrow()
    const sentences = async () => [...(await leashesOf(owner, [place.training])).values()]
    const refused = () => owner.transaction().execute((tx) => refuseLeashedOrganisation(tx, organisation))
    await budget(1, { leash: true })
    await budget(1, { leash: true, training_id: null })
    expect(await sentences()).toEqual([])
    await refused()
    await sql`update budget set leashed_at = portal_now() where training_id is not null`.execute(owner)
    expect(await sentences()).toEqual([`The budget of ${name} is used up: machines stay off until it is raised.`])
    await refused()
    await sql`update budget set leashed_at = portal_now() where training_id is null`.execute(owner)
    const whole = `This month’s budget of ${name} is used up: machines stay off until it is raised or the month is over.`
    expect(await sentences()).toEqual([whole])
    await expect(refused()).rejects.toThrow(whole)
    expect(await leashesOf(owner, [(await makePlace(app)).training])).toEqual(new Map())
  })
})

describe('a quota is told of', () => {
  const alerts = () =>
    owner
      .selectFrom('budget_alert')
      .select(['percent', 'used', 'total', 'training_id'])
      .where('organisation_id', '=', organisation)
      .where('kind', '=', 'quota')
      .orderBy('percent')
      .execute()
  const tell = () => owner.transaction().execute((tx) => alertQuotas(tx, jobs))
  const limited = (minutes: number) =>
    owner
      .updateTable('machine')
      .set({ allotted_minutes: minutes as Minutes })
      .where('id', '=', machine)
      .execute()

  test('from its eightieth per cent on, over all its machines with a limit, once', async () => {
    await limited(100)
    const another = await place.add({ allotted_minutes: 25 as Minutes })
    const unlimited = await place.add()
    await openRun(app, machine, at(-1.5))
    await ran(1, unlimited)
    await tell()
    expect(await alerts()).toEqual([])
    await ran(1 / 6, another)
    await tell()
    await tell()
    expect(await alerts()).toEqual([{ percent: 80, used: 100, total: 125, training_id: place.training }])
  })

  test('up to an hour after it was used up, and not where nothing runs', async () => {
    await limited(62)
    await ran(1, machine, 2)
    await tell()
    expect(await alerts()).toEqual([])
    await limited(60)
    await tell()
    expect(await alerts()).toEqual([])
    await setPortalClock(owner, at(-0.01))
    await tell()
    expect((await alerts()).map(({ percent }) => percent)).toEqual([80, 90, 100])
    // The latest of it is shown, and nothing once its training is removed.
    const shown = async () =>
      (await alertsFor(owner, organisation, randomUUID() as UserId)).map(({ percent }) => percent)
    expect(await shown()).toEqual([100])
    await limited(120)
    expect(await shown()).toEqual([])
    await limited(60)
    await sql`update training set removed_at = portal_now() where id = ${place.training}`.execute(owner)
    expect(await shown()).toEqual([])
  })
})

describe('a forecast of a year of weekdays', () => {
  /** From 10:00 to 18:00 in Kolkata on weekdays; in every third week nobody came on Monday and Tuesday. */
  const weekdays = () => sql`
    insert into run (machine_id, organisation_id, started_at, stopped_at, paise_per_hour, closed_by)
    select ${machine}, ${organisation}, (day + time '10:00') at time zone 'Asia/Kolkata',
      (day + time '18:00') at time zone 'Asia/Kolkata', ${paise(HOUR)}, 'seen stopped'
    from (select date '2026-11-01' - back as day, back from generate_series(1, 95) back) d
    where extract(isodow from day) < 6 and not (extract(week from day)::int % 3 = 0 and extract(isodow from day) < 3)`
  const forecast = (training: Place['training'] | null) => forecastOf(owner, { organisation, training })

  beforeEach(async () => {
    await sql`update machine set created_at = ${at(-2_400)}, observed = 'stopped' where id = ${machine}`.execute(owner)
    await weekdays().execute(owner)
  })

  test('is of the coming days, by the organisation’s calendar', async () => {
    const { shown, backtest, timeZone, asOf } = await forecast(place.training)
    expect([backtest!.weeks, timeZone, asOf]).toEqual([12, 'Asia/Kolkata', at(0).toISOString()])
    // It is Sunday afternoon there: four weeks from that hour on end on a Sunday.
    expect(shown!.days).toHaveLength(29)
    expect(shown!.days[0]).toEqual({ date: '2026-11-01', expectedPaise: 0 })
    const [monday, friday] = [shown!.days[1]!, shown!.days[5]!]
    // In one of the last three weeks nobody came on Monday.
    expect(monday).toEqual({ date: '2026-11-02', expectedPaise: Math.round((8 * HOUR * 2) / 3) })
    expect(friday).toEqual({ date: '2026-11-06', expectedPaise: 8 * HOUR })
    expect(shown!.days.at(-1)!.date).toBe('2026-11-29')
    expect([shown!.runsOutAt, shown!.over]).toEqual([null, null])
  })

  test('says when a training’s budget runs out, and by how much it is over on its last day', async () => {
    const { rows } = await sql<{ spent: number }>`
      select count(*)::int * 8 * ${HOUR} as spent from run where machine_id = ${machine}`.execute(owner)
    const days = (await forecast(place.training)).shown!.days
    // Two hours of Wednesday are left after Monday and Tuesday.
    const amount = rows[0]!.spent + days[1]!.expectedPaise + days[2]!.expectedPaise + 2 * HOUR
    const set = await budget(amount, { last_day: '2026-11-04' })
    const { shown } = await forecast(place.training)
    expect(shown!.runsOutAt).toBe('2026-11-04T06:30:00.000Z')
    expect(shown!.over).toEqual({ paise: 6 * HOUR, lastDay: '2026-11-04' })
    const overOn = async (day: string) => {
      await sql`update budget set last_day = ${day}::date where id = ${set.id}`.execute(owner)
      return (await forecast(place.training)).shown!.over?.lastDay ?? null
    }
    // A day that is over, or that the forecast does not reach whole, says nothing.
    expect(await overOn('2026-10-31')).toBeNull()
    expect(await overOn('2026-11-01')).toBe('2026-11-01')
    expect(await overOn('2026-11-28')).toBe('2026-11-28')
    expect(await overOn('2026-11-29')).toBeNull()
  })

  test('of an organisation counts its month alone', async () => {
    await budget(1_000 * HOUR, { training_id: null })
    const { days, over, runsOutAt } = (await forecast(null)).shown!
    // November has no bill yet, and its last day is a Monday beyond what is forecast.
    const coming = days.reduce((sum, { expectedPaise }) => sum + expectedPaise, 0)
    expect(over).toEqual({ paise: coming - 1_000 * HOUR, lastDay: '2026-11-30' })
    expect(runsOutAt).toBeNull()
    expect((await forecast(place.training)).shown!.over).toBeNull()
  })
})
