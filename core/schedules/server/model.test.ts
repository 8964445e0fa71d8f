/** Compares random sequences of plans, cancellations, clock steps, worker deaths and removals with a model. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { SCHEDULE_GRACE_MINUTES } from '@trainyard/platform/contract/words/limits.ts'
import type { ScheduleAction } from '../contract/schedule-words.ts'
import { removeTraining } from '@trainyard/machines/server/remove-training.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { createSchedules } from './create.ts'
import { fireDue } from './fire.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

/** True for the long form, `npm run storm`, which tries as many sequences as the time limit allows. */
const LONG = process.env.STORM === 'long'
const LIMIT = LONG ? 300_000 : 240_000
const MINUTE = 60_000
const ZONE = 'Europe/Berlin'
/** Half an hour before Berlin's clocks go back, so that some local times occur twice. */
const BEGIN = Date.parse('2030-10-27T00:30:00Z')
const TRAININGS = 2

interface Planned {
  readonly training: number
  readonly fires: number
  readonly created: number
  readonly action: ScheduleAction
  state: 'pending' | 'cancelled' | 'missed' | 'acted' | 'skipped'
}

interface Model {
  now: number
  readonly running: boolean[]
  readonly alive: boolean[]
  readonly planned: Planned[]
}

type Step =
  | { readonly kind: 'plan'; readonly training: number; readonly inMinutes: number; readonly action: ScheduleAction }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'fire'; readonly workers: number }
  | { readonly kind: 'die' }
  | { readonly kind: 'remove'; readonly training: number }

const training = fc.nat({ max: TRAININGS - 1 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('plan' as const),
        training,
        inMinutes: fc.integer({ min: 1, max: 90 }),
        action: fc.constantFrom('Start' as const, 'Stop' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat({ max: 9 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 5, 29, 30, 31, 60) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('fire' as const), workers: fc.constantFrom(1, 2, 3) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'die' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), training }) },
  ),
  { minLength: 5, maxLength: 25 },
)

let run = 0

const portal = await sharedPortal()
const setClock = (now: number) => setPortalClock(portal.owner, new Date(now))
await setClock(BEGIN)
await sql`
  with acme as (insert into organisation (name, logo, time_zone) values ('Acme', null, ${ZONE}) returning id),
    admin as (insert into portal_user (email, role, organisation_id) select 'admin@acme.test', 'admin', id from acme),
    template as (insert into template (name, rate_paise, provider, place, size, image, os, licence,
      cpu, memory, storage, disk) values ('template', 100, 'azure',
      '{"group": "labs", "location": "southindia", "network": "net"}', '{"name": "Standard_DS1_v2"}', '{"id": "a:b:c:latest"}',
      'Linux', 'none', '1', '1', '1', '1') returning id)
  insert into template_assignment (organisation_id, template_id) select acme.id, template.id from acme, template`.execute(
  portal.owner,
)
const actor = (await findSignInUser(portal.app.db, { email: 'admin@acme.test' }))!.actor
const uid = await portal.sessionOf('admin@acme.test')

/** Returns the local time as a user would enter it. If a time occurs twice, it means the first occurrence. */
async function localOf(instant: number): Promise<{ date: string; time: string; first: number }> {
  const { rows } = await sql<{ date: string; time: string; first: boolean }>`
    select to_char(local, 'YYYY-MM-DD') as date, to_char(local, 'HH24:MI') as time,
      ((at - interval '1 hour') at time zone ${ZONE}) <> local as first
    from (select at, at at time zone ${ZONE} as local from (select ${new Date(instant)}::timestamptz as at) a) b`.execute(
    portal.owner,
  )
  const { date, time, first } = rows[0]!
  return { date, time, first: first ? instant : instant - 60 * MINUTE }
}

const transaction = <T>(callback: (tx: Tx) => Promise<T>): Promise<T> => portal.app.db.transaction().execute(callback)
const nameOf = (index: number) => `Run ${run} course ${index}`
const OPEN = { restrictUserLogin: false, userAccessOnTime: null, userAccessOffTime: null }

async function setUp(): Promise<Model> {
  run += 1
  await setClock(BEGIN)
  for (let index = 0; index < TRAININGS; index++) {
    const body = {
      templateName: 'template',
      email: [`learner${index}@acme.test`],
      trainingName: nameOf(index),
      allocatedHours: null,
      createVmCount: 1,
      guacamole: false,
    }
    expect((await portal.request('POST', '/azure/machines', { uid, body })).status).toBe(200)
  }
  return { now: BEGIN, running: [true, true], alive: [true, true], planned: [] }
}

async function applyStep(model: Model, step: Step): Promise<void> {
  switch (step.kind) {
    case 'plan':
      return plan(model, step)
    case 'cancel':
      return cancel(model, step.which)
    case 'wait':
      model.now += step.minutes * MINUTE
      return setClock(model.now)
    case 'fire':
      return fire(model, step.workers)
    case 'die':
      return fireAndDie()
    case 'remove':
      model.alive[step.training] = false
      for (const each of model.planned) {
        if (each.training === step.training && each.state === 'pending') each.state = 'cancelled'
      }
      return transaction((tx) => removeTraining(tx, actor, { trainingName: nameOf(step.training) }))
  }
}

async function fire(model: Model, workers: number): Promise<void> {
  fireInModel(model)
  await Promise.all(Array.from({ length: workers }, () => transaction(fireDue)))
  while ((await transaction(fireDue)) > 0);
  expect(await statesOf(model)).toEqual(statesIn(model))
}

/** Simulates a worker that dies before its commit and leaves everything unchanged. */
async function fireAndDie(): Promise<void> {
  const killedTransaction = transaction(async (tx) => {
    await fireDue(tx)
    throw new Error('killed')
  })
  await expect(killedTransaction).rejects.toThrow('killed')
}

async function plan(model: Model, { training, inMinutes, action }: Extract<Step, { kind: 'plan' }>): Promise<void> {
  const { date, time, first: firesAt } = await localOf(model.now + inMinutes * MINUTE)
  const data = { schedules: [{ date, time, action }], restrictLogin: OPEN }
  const result = await transaction((tx) => createSchedules(tx, actor, { trainingName: nameOf(training), data })).catch(
    (problem: unknown) => (problem instanceof Problem ? problem.code : Promise.reject(problem as Error)),
  )
  const expected = !model.alive[training] ? 'notFound' : firesAt <= model.now ? 'invalid' : null
  if (expected !== null) return expect(result).toBe(expected)
  const duplicate = model.planned.some(
    (each) =>
      each.training === training && each.fires === firesAt && each.action === action && each.state !== 'cancelled',
  )
  expect(result).toMatch(duplicate ? /^No new schedules\. One was already planned\./ : /^One schedule is planned/)
  if (!duplicate) model.planned.push({ training, fires: firesAt, created: model.now, action, state: 'pending' })
}

async function cancel(model: Model, which: number): Promise<void> {
  const pending = model.planned.filter(({ state }) => state === 'pending')
  const one = pending[which % Math.max(1, pending.length)]
  if (one === undefined) return
  one.state = 'cancelled'
  const query = { trainingName: nameOf(one.training) }
  const { schedules } = (await (await portal.request('GET', '/azure/schedules', { uid, query })).json()) as {
    schedules: { _id: string; date: string; time: string; action: string; status: string }[]
  }
  const { date, time } = await localOf(one.fires)
  const listed = schedules.find((row) => row.date === date && row.time === time && row.action === one.action)
  const removed = await portal.request('DELETE', '/azure/schedules', {
    uid,
    query: { ...query, scheduleId: listed!._id },
  })
  expect(removed.status).toBe(200)
}

function fireInModel(model: Model): void {
  const due = model.planned
    .filter(({ state, fires: firesAt }) => state === 'pending' && firesAt <= model.now)
    .toSorted((a, b) => a.fires - b.fires || a.created - b.created || a.action.localeCompare(b.action))
  for (const each of due) {
    const expected = each.action === 'Start'
    if (model.now - each.fires > SCHEDULE_GRACE_MINUTES * MINUTE) each.state = 'missed'
    else if (model.running[each.training] === expected) each.state = 'skipped'
    else {
      each.state = 'acted'
      model.running[each.training] = expected
    }
  }
}

const statesIn = ({ planned }: Model): string[] =>
  planned
    .map(
      ({ training, fires: firesAt, action, state }) =>
        `${nameOf(training)} ${new Date(firesAt).toISOString()} ${action} ${state}`,
    )
    .toSorted()

async function statesOf(model: Model): Promise<string[]> {
  const { rows } = await sql<{ name: string; fires_at: Date; action: string; state: string }>`
    select t.name, s.fires_at, s.action, case
      when s.missed then 'missed' when s.completed_at is not null then o.outcome
      when s.removed_at is not null then 'cancelled' else 'pending' end as state
    from schedule s join training t on t.id = s.training_id left join schedule_outcome o on o.schedule_id = s.id
    where t.name = any(${model.running.map((_, index) => nameOf(index))})`.execute(portal.owner)
  return rows
    .map(({ name, fires_at, action, state }) => `${name} ${fires_at.toISOString()} ${action} ${state}`)
    .toSorted()
}

test('schedules match the model for every sequence of steps', { timeout: LIMIT }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const model = await setUp()
      for (const step of history) await applyStep(model, step)
      await applyStep(model, { kind: 'fire', workers: 2 })
      expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
    }),
    // The run is interrupted early enough to report the seed of a failure.
    { numRuns: LONG ? 500 : 8, plugins: [fc.interruptAfterTimeLimit(LIMIT - 15_000, { failOnInterrupt: true })] },
  )
})
