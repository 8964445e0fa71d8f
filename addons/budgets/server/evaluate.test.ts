import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Minutes } from '@trainyard/platform/contract/words/duration.ts'
import type { MachineId, OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { addTraining, openRun, type TestTraining } from '@trainyard/platform/test/scripted-cloud.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import type { BudgetRow } from '../tables.gen.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import { requireMayOrder, stayOffReasons, stopMachines } from '@trainyard/machines/server/may-start.ts'
import { alertsFor } from './alerts-seen.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { ratesChanged } from '@trainyard/usage/server/prices.ts'
import { evaluateDueBudgets } from './evaluate.ts'
import { alertQuotas } from './quotas.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const portal = await sharedPortal()
const { app, owner } = portal
const jobs = jobQueueIn(owner)
const HOUR = 1_250

let reconciler: TestReconciler
let place: TestTraining
let organisation: OrganisationId
let machine: MachineId

beforeEach(async () => {
  reconciler = await testReconciler(portal)
  await sql`delete from budget`.execute(owner)
  place = await addTraining(app)
  machine = await place.add({ observed: 'running', created_at: at(-200) })
  organisation = (await row()).organisation_id
})

/** Returns the instant a number of hours from now; negative for the past. */
const at = (hours: number) => reconciler.timeAfter(hours * 3_600)
const row = (id = machine) => reconciler.row<MachineRow>('machine', id)

/** Adds a finished run of the given length that started `ago` hours ago. */
async function ran(hours: number, id = machine, ago = hours): Promise<void> {
  await openRun(app, id, at(-ago))
  await sql`update run set stopped_at = ${at(hours - ago)}, closed_by = 'stop accepted' where machine_id = ${id}
    and stopped_at is null`.execute(owner)
  await updateRunSums(owner, sql`id = ${id}`)
}
async function budget(amount: number, more: Partial<BudgetRow> = {}): Promise<BudgetRow> {
  return owner
    .insertInto('budget')
    .values({
      organisation_id: organisation,
      training_id: place.training,
      amount_paise: amount as Paise,
      spending_cap: false,
      set_by: 'admin@place.test',
      ...more,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
const evaluateNow = () => owner.transaction().execute((tx) => evaluateDueBudgets(tx, jobs))
const read = ({ id }: BudgetRow) =>
  owner.selectFrom('budget').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const audited = async (call: string): Promise<number> => {
  const { rows } = await sql`select from audit where call = ${call} and organisation_id = ${organisation}`.execute(
    owner,
  )
  return rows.length
}

describe('next evaluation of a budget', () => {
  test.each([
    ['when spending can reach the next threshold at the earliest', 2 * HOUR + 100, 144],
    ['when spending can reach the second threshold, after the first one', 1_800, 547.2],
    ['in at least five seconds', 2 * HOUR + 2, 5],
    ['in at most ten minutes', 10 * HOUR, 600],
    ['in ten minutes if it is used up', HOUR, 600],
  ])('is %s', async (_when, amount, seconds) => {
    await ran(1)
    const set = await budget(amount)
    expect(await evaluateNow()).toBe(1)
    const { judge_at } = await read(set)
    expect((judge_at.getTime() - at(0).getTime()) / 1000).toBeCloseTo(seconds, 2)
    expect(await evaluateNow()).toBe(0)
  })

  test('is when spending can first reach a threshold, or in ten minutes without machines', async () => {
    await ran(1)
    const set = await budget(1_800)
    await place.add()
    await evaluateNow()
    expect((await read(set)).judge_at.getTime() - at(0).getTime()).toBeCloseTo(547_200 / 2, 0)
    await sql`update machine set desired = 'gone', observed = 'absent', terminated_at = portal_now(), admin_password = null,
      reconcile_at = null where training_id = ${place.training}`.execute(owner)
    await sql`update budget set judge_at = portal_now()`.execute(owner)
    await evaluateNow()
    expect((await read(set)).judge_at).toEqual(at(600 / 3_600))
  })

  test('is at the end of the month at the latest for an organisation budget, in its time zone', async () => {
    // The time is half a minute before December in Kolkata.
    await setPortalClock(owner, new Date('2026-11-30T18:29:30Z'))
    const [whole, course] = [await budget(10 * HOUR, { training_id: null }), await budget(10 * HOUR)]
    await evaluateNow()
    expect((await read(whole)).judge_at).toEqual(new Date('2026-11-30T18:30:00Z'))
    expect((await read(course)).judge_at).toEqual(new Date('2026-11-30T18:39:30Z'))
  })

  test('is immediate after an order, for its training and organisation only', async () => {
    const later = { judge_at: at(1) }
    const here = [await budget(10 * HOUR, later), await budget(10 * HOUR, { ...later, training_id: null })]
    const other = await owner
      .insertInto('training')
      .values({ organisation_id: organisation, name: `other ${randomUUID()}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const beside = await budget(HOUR, { ...later, training_id: other.id })
    const orderedFor = { organisation, training: place.training }
    place = await addTraining(app)
    organisation = (await row(await place.add())).organisation_id
    const foreign = await budget(HOUR, { ...later, training_id: null })
    expect(await evaluateNow()).toBe(0)
    await owner.transaction().execute((tx) => emit(tx, ratesChanged, [orderedFor]))
    for (const set of here) expect((await read(set)).judge_at).toEqual(at(0))
    for (const set of [beside, foreign]) expect((await read(set)).judge_at).toEqual(at(1))
  })

  test('skips a budget that another worker has locked, and budgets of deleted organisations', async () => {
    const set = await budget(HOUR, { judge_at: at(-1) })
    await owner.transaction().execute(async (tx) => {
      await sql`select from budget where id = ${set.id} for update`.execute(tx)
      expect(await evaluateNow()).toBe(0)
    })
    await sql`update organisation set removed_at = portal_now() where id = ${organisation}`.execute(owner)
    expect(await evaluateNow()).toBe(0)
    await sql`update organisation set removed_at = null where id = ${organisation}`.execute(owner)
    expect(await evaluateNow()).toBe(1)
  })
})

describe('spending cap of a budget', () => {
  const evaluateAgain = async () => {
    await sql`update budget set judge_at = portal_now()`.execute(owner)
    await evaluateNow()
  }

  test('takes effect once at the exact amount and ends when the budget is raised', async () => {
    await ran(1)
    const set = await budget(HOUR + 1, { spending_cap: true })
    await evaluateNow()
    expect((await read(set)).cap_reached_at).toBeNull()
    await sql`update budget set amount_paise = ${HOUR}`.execute(owner)
    await evaluateAgain()
    expect((await read(set)).cap_reached_at).toEqual(at(0))
    await reconciler.wait(60)
    await evaluateAgain()
    expect((await read(set)).cap_reached_at).toEqual(at(0))
    expect(await audited('budget.spendingCap')).toBe(1)
    await sql`update budget set amount_paise = ${HOUR + 1}`.execute(owner)
    await evaluateAgain()
    expect((await read(set)).cap_reached_at).toBeNull()
    expect(await audited('budget.spendingCap')).toBe(1)
  })

  test('does not take effect if it is switched off', async () => {
    await ran(1)
    const set = await budget(HOUR, { spending_cap: false })
    await evaluateNow()
    expect((await read(set)).cap_reached_at).toBeNull()
    expect(await audited('budget.spendingCap')).toBe(0)
  })

  test('of a training stops its running machines only', async () => {
    const [off, failing] = [
      await place.add({ desired: 'stopped' }),
      await place.add({ restart_asked_at: at(0), last_error: 'No.', attempts: 2, reconcile_at: null }),
    ]
    const gone = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
    const ended = await place.add({ ...gone, terminated_at: at(-1) })
    const elsewhere = await (await addTraining(app)).add()
    const capped = await budget(1, { spending_cap: true, cap_reached_at: at(0) })
    const stop = () => owner.transaction().execute((tx) => stopMachines(tx))
    expect(await stop()).toBe(2)
    expect(await row()).toMatchObject({ desired: 'stopped', generation: 1, pause: 0 })
    expect(await row(failing)).toMatchObject({ desired: 'stopped', restart_asked_at: null, generation: 1, pause: 0 })
    expect(await row(off)).toMatchObject({ desired: 'stopped', generation: 0 })
    expect(await row(ended)).toMatchObject({ desired: 'gone', generation: 0 })
    expect(await row(elsewhere)).toMatchObject({ desired: 'running', generation: 0 })
    expect(await stop()).toBe(0)

    await sql`update machine set desired = 'running' where id = ${machine}`.execute(owner)
    await sql`update budget set cap_reached_at = null where id = ${capped.id}`.execute(owner)
    const { id } = await owner
      .insertInto('training')
      .values({ organisation_id: organisation, name: `other ${randomUUID()}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await budget(1, { training_id: id, spending_cap: true, cap_reached_at: at(0) })
    expect(await stop()).toBe(0)
    await budget(1, { training_id: null, spending_cap: true, cap_reached_at: at(0) })
    expect(await stop()).toBe(1)
    expect((await row(elsewhere)).desired).toBe('running')
  })

  test('stops other machines while one is locked', async () => {
    const another = await place.add()
    await budget(1, { spending_cap: true, cap_reached_at: at(0) })
    await owner.transaction().execute(async (tx) => {
      await sql`select from machine where id = ${machine} for update`.execute(tx)
      expect(await owner.transaction().execute((other) => stopMachines(other))).toBe(1)
    })
    expect([(await row()).desired, (await row(another)).desired]).toEqual(['running', 'stopped'])
  })

  test('is reported with the sentence of its training, or of the organisation if both apply', async () => {
    const { name } = await owner
      .selectFrom('organisation')
      .select('name')
      .where('id', '=', organisation)
      .executeTakeFirstOrThrow()
    const sentences = async () => [...(await stayOffReasons(owner, [place.training])).values()]
    const refused = () => owner.transaction().execute((tx) => requireMayOrder(tx, { role: 'admin' }, organisation))
    await budget(1, { spending_cap: true })
    await budget(1, { spending_cap: true, training_id: null })
    expect(await sentences()).toEqual([])
    await refused()
    await sql`update budget set cap_reached_at = portal_now() where training_id is not null`.execute(owner)
    expect(await sentences()).toEqual([
      `The budget of ${name} is used up: machines stay off until the budget is raised.`,
    ])
    await refused()
    await sql`update budget set cap_reached_at = portal_now() where training_id is null`.execute(owner)
    const whole = `This month’s budget of ${name} is used up: machines stay off until the budget is raised or the month ends.`
    expect(await sentences()).toEqual([whole])
    await expect(refused()).rejects.toThrow(whole)
    expect(await stayOffReasons(owner, [(await addTraining(app)).training])).toEqual(new Map())
  })
})

describe('quota alert', () => {
  const alerts = () =>
    owner
      .selectFrom('budget_alert')
      .select(['percent', 'used', 'total', 'training_id'])
      .where('organisation_id', '=', organisation)
      .where('kind', '=', 'quota')
      .orderBy('percent')
      .execute()
  const raiseAlerts = () => owner.transaction().execute((tx) => alertQuotas(tx, jobs))
  async function setLimit(minutes: number) {
    await sql`update machine set allotted_minutes = ${minutes} where id = ${machine}`.execute(owner)
    await updateRunSums(owner, sql`id = ${machine}`)
  }

  test('is raised once from 80 % of the sum of all limited machines', async () => {
    await setLimit(100)
    const another = await place.add({ allotted_minutes: 25 as Minutes })
    const unlimited = await place.add()
    await openRun(app, machine, at(-1.5))
    await ran(1, unlimited)
    await raiseAlerts()
    expect(await alerts()).toEqual([])
    await ran(1 / 6, another)
    await raiseAlerts()
    await raiseAlerts()
    expect(await alerts()).toEqual([{ percent: 80, used: 100, total: 125, training_id: place.training }])
  })

  test('is raised within an hour after the quota was used up, and not while all machines are stopped', async () => {
    await setLimit(62)
    await ran(1, machine, 2)
    await raiseAlerts()
    expect(await alerts()).toEqual([])
    await setLimit(60)
    await raiseAlerts()
    expect(await alerts()).toEqual([])
    await setPortalClock(owner, at(-0.01))
    await raiseAlerts()
    expect((await alerts()).map(({ percent }) => percent)).toEqual([80, 90, 100])
    const shown = async () =>
      (await alertsFor(owner, organisation, randomUUID() as UserId)).map(({ percent }) => percent)
    expect(await shown()).toEqual([100])
    await setLimit(120)
    expect(await shown()).toEqual([])
    await setLimit(60)
    await sql`update training set removed_at = portal_now() where id = ${place.training}`.execute(owner)
    expect(await shown()).toEqual([])
  })
})
