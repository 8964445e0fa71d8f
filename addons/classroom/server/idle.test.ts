import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { CLASS } from '../contract/classroom-words.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { addTraining, openRun, type TestTraining } from '@trainyard/platform/test/scripted-cloud.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import type { MachineActivityTable } from '@trainyard/remote-access/tables.gen.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import type { MachineMetrics, ProcessorMinute } from '@trainyard/templates/server/machine-metrics.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { measureMachines } from './measure.ts'
import { startStopped, stopIdleNow } from './power.ts'
import { seatsOf } from './rows.ts'
import { stopIdle } from './stop-idle.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const portal = await sharedPortal()
const { app, owner } = portal
let reconciler: TestReconciler
let testTraining: TestTraining

beforeEach(async () => {
  reconciler = await testReconciler(portal)
  testTraining = await addTraining(app)
  await sql`update training set idle_stop_minutes = 20 where id = ${testTraining.training}`.execute(owner)
})

/** Returns an instant relative to now. Negative minutes are in the past. */
const at = (minutes: number) => reconciler.timeAfter(minutes * 60)

interface RunningOptions {
  /** Minutes since the start of the run; null: no open run. */
  readonly ran?: number | null
  readonly machine?: Columns<MachineRow>
  readonly activity?: Partial<Omit<MachineActivityTable, 'machine_id' | 'organisation_id' | 'active_minutes'>>
}

const UNMEASURED = { cpu_at: null, cpu_percent: null }

/** Adds a machine that has run for an hour, was measured a minute ago and was not used. */
async function addRunning({ ran = 60, machine = {}, activity = {} }: RunningOptions = {}): Promise<MachineId> {
  const id = await testTraining.add({ observed: 'running', password_due: false, first_seen_at: at(-60), ...machine })
  if (ran !== null) await openRun(app, id, at(-ran))
  await used(id, { cpu_percent: 1, cpu_at: at(-1), ...activity })
  return id
}
async function used(id: MachineId, activity: NonNullable<RunningOptions['activity']>): Promise<void> {
  await owner
    .insertInto('machine_activity')
    .columns(['machine_id', 'organisation_id'])
    .expression((eb) => eb.selectFrom('machine').select(['id', 'organisation_id']).where('id', '=', id))
    .onConflict((on) => on.doNothing())
    .execute()
  await owner.updateTable('machine_activity').set(activity).where('machine_id', '=', id).execute()
}
const activityOf = (id: MachineId) =>
  owner.selectFrom('machine_activity').selectAll().where('machine_id', '=', id).executeTakeFirstOrThrow()
const machine = (id: MachineId) => reconciler.row<MachineRow>('machine', id)
const seatOf = async (id: MachineId) =>
  (await seatsOf(app.db, testTraining.training, null)).find((seat) => seat.machine._id === id)!
const minutesOf = (instant: Date | string | null) =>
  instant === null ? null : (new Date(instant).getTime() - at(0).getTime()) / 60_000

/** Expected: minutes since which the machine is idle, or null if the machine is not idle or this is unknown. */
test.each<[string, RunningOptions, number | null]>([
  ['that was not used, since its start', {}, -60],
  ['with terminal input', { activity: { input_at: at0(-9) } }, -9],
  ['with a busy CPU', { activity: { busy_at: at0(-7), input_at: at0(-9) } }, -7],
  ['whose learner confirmed presence', { activity: { here_at: at0(-3), busy_at: at0(-7) } }, -3],
  ['whose learner got it while it ran', { machine: { handed_over_at: at0(-5) } }, -5],
  ['that does not run', { machine: { observed: 'stopped' } }, null],
  ['without a run', { ran: null }, null],
  ['that was measured nine minutes ago', { activity: { cpu_at: at0(-9) } }, -60],
  ['that was measured ten minutes ago', { activity: { cpu_at: at0(-10) } }, null],
  ['that was measured only in an earlier run', { ran: 2, activity: { cpu_at: at0(-3) } }, null],
  ['that was measured up to its start', { ran: 2, activity: { cpu_at: at0(-2) } }, null],
  ['that was never measured', { activity: UNMEASURED }, null],
])('a machine %s', async (_which, options, since) => {
  expect(minutesOf((await seatOf(await addRunning(options))).idleSince)).toBe(since)
})

test('a learner counts as connected while the own machine has an open session with a recent heartbeat', async () => {
  const [id, other] = [await addRunning(), await addRunning()]
  const emails = await Promise.all([id, other].map(async (each) => (await machine(each)).email))
  const session = async (
    machine_id: MachineId,
    email: string,
    minutes: [opened: number, seen: number, closed?: number],
  ) => {
    const [opened, seen, closed] = minutes
    const { organisation_id } = await machine(machine_id)
    const when = { opened_at: at(opened), seen_at: at(seen), closed_at: closed === undefined ? null : at(closed) }
    await owner
      .insertInto('remote_session')
      .values({
        session_hash: randomBytes(32),
        machine_id,
        email,
        organisation_id,
        user_id: null,
        ended: closed === undefined ? null : 'closed',
        held_at: null,
        ...when,
      })
      .execute()
  }
  const since = async () => {
    const { connectedSince, disconnectedSince } = await seatOf(id)
    return [minutesOf(connectedSince), minutesOf(disconnectedSince)]
  }
  await session(id, 'instructor@place.test', [-50, 0])
  await session(id, 'instructor@place.test', [-50, -1, -1])
  await session(other, emails[0]!, [-50, 0])
  await session(other, emails[0]!, [-50, -1, -1])
  await session(other, emails[1]!, [-50, -1, -1])
  expect(await since()).toEqual([null, null])
  // A session without a recent heartbeat counts as abandoned, even if it is not closed.
  await session(id, emails[0]!, [-49, -40])
  await session(id, emails[0]!, [-48, -30, -30])
  await session(id, emails[0]!, [-47, -20, -20])
  expect(await since()).toEqual([null, -20])
  await session(id, emails[0]!, [-9, 0])
  await session(id, emails[0]!, [-8, 0])
  expect(await since()).toEqual([-9, -20])
})

function at0(minutes: number): Date {
  return new Date(Date.parse('2026-11-01T10:00:00Z') + minutes * 60_000)
}

describe('the warning', () => {
  test.each<[string, RunningOptions, boolean]>([
    ['ten minutes before the training’s idle minutes are reached', { activity: { input_at: at0(-10) } }, true],
    ['not earlier', { activity: { input_at: at0(-9) } }, false],
    ['from minute 20 of a run on', { ran: 20 }, true],
    ['not before minute 20', { ran: 19 }, false],
    ['not for a machine that must stop', { machine: { desired: 'stopped' } }, false],
    ['not for a machine that does not run', { machine: { observed: 'changing' } }, false],
    ['not for a machine being captured', { machine: { capturing: true } }, false],
    ['not for a machine without its password', { machine: { password_due: true } }, false],
    ['not for a machine being restarted', { machine: { restart_asked_at: at0(0) } }, false],
    ['not for a machine that is not measured', { activity: UNMEASURED }, false],
  ])('is sent or not: %s', async (_when, options, warned) => {
    const id = await addRunning(options)
    await stopIdle(app.db)
    const { warned_at, stops_at } = await activityOf(id)
    expect([minutesOf(warned_at), minutesOf(stops_at)]).toEqual(warned ? [0, 10] : [null, null])
    expect(await machine(id)).toMatchObject({ stop_reason: null, generation: 0 })
  })

  test('is not sent if the training does not enable the idle stop', async () => {
    await sql`update training set idle_stop_minutes = null where id = ${testTraining.training}`.execute(owner)
    const id = await addRunning()
    await stopIdle(app.db)
    expect(await activityOf(id)).toMatchObject({ warned_at: null, stops_at: null })
  })

  test('is sent once, and is withdrawn when the machine is used or is no longer measured', async () => {
    const warning = { warned_at: at(-5), stops_at: at(5) }
    const [stillIdle, touched, back, unmeasured] = [
      await addRunning({ activity: warning }),
      await addRunning({ activity: { ...warning, input_at: at(-5) } }),
      await addRunning({ activity: { ...warning, input_at: at(-4) } }),
      await addRunning({ activity: { ...warning, cpu_at: at(-11) } }),
    ]
    await stopIdle(app.db)
    for (const id of [stillIdle, touched]) expect(await activityOf(id)).toMatchObject(warning)
    for (const id of [back, unmeasured]) expect(await activityOf(id)).toMatchObject({ warned_at: null, stops_at: null })
  })
})

describe('a machine with an expired warning', () => {
  const expired = { warned_at: at0(-10), stops_at: at0(0) }

  test('is stopped with the reason; earlier failures are cleared, and the audit row has no actor', async () => {
    const id = await addRunning({
      machine: { attempts: 2, last_error: 'No.', refused: true, reconcile_at: null },
      activity: { ...expired, input_at: at(-21.5) },
    })
    const later = await addRunning({ activity: { ...expired, stops_at: at(0.1) } })
    await stopIdle(app.db)
    expect(await machine(id)).toMatchObject({
      desired: 'stopped',
      stop_reason: CLASS.stoppedIdle(21),
      generation: 1,
      pause: 0,
      attempts: 0,
      last_error: null,
      refused: false,
    })
    expect(await activityOf(id)).toMatchObject({ warned_at: null, stops_at: null })
    expect(await machine(later)).toMatchObject({ desired: 'running', generation: 0 })
    expect(await activityOf(later)).toMatchObject({ stops_at: at(0.1) })
    const { name, organisation_id } = await machine(id)
    const { rows } = await sql<object>`
      select actor_email, organisation_id, detail from audit where request_id in (${id}, ${later})`.execute(owner)
    expect(rows).toEqual([{ actor_email: null, organisation_id, detail: { machine: name, idleMinutes: 21 } }])
  })

  test('is not stopped in the first half hour of its current run', async () => {
    const warned = { warned_at: at(-11), stops_at: at(-1) }
    const [young, old] = [
      await addRunning({ ran: 29, activity: warned }),
      await addRunning({ ran: 30, activity: warned }),
    ]
    await stopIdle(app.db)
    expect([(await machine(young)).desired, (await machine(old)).desired]).toEqual(['running', 'stopped'])
  })

  test('is skipped while another transaction has locked it', async () => {
    const id = await addRunning({ activity: expired })
    await owner.transaction().execute(async (tx) => {
      await sql`select from machine where id = ${id} for update`.execute(tx)
      await stopIdle(app.db)
    })
    expect((await machine(id)).desired).toBe('running')
    await stopIdle(app.db)
    expect((await machine(id)).desired).toBe('stopped')
  })
})

describe('an instructor', () => {
  const change = <T>(callback: (tx: typeof owner) => Promise<T>) => owner.transaction().execute(callback)

  test('stops machines that have been idle for the given minutes, only in this training', async () => {
    const idle = await addRunning({ activity: { input_at: at(-15) } })
    const others = [
      await addRunning({ activity: { input_at: at(-14) } }),
      await addRunning({ activity: UNMEASURED }),
      await addRunning({ machine: { capturing: true, observed: 'changing' } }),
    ]
    const ownTraining = testTraining
    testTraining = await addTraining(app)
    others.push(await addRunning())
    const stop = () => change((tx) => stopIdleNow(tx as never, ownTraining.training, 15))
    expect(await stop()).toMatchObject({ message: CLASS.stopped(1), machines: 1, undoable: [{}] })
    expect((await machine(idle)).desired).toBe('stopped')
    for (const id of others) expect((await machine(id)).desired).toBe('running')
    expect(await stop()).toEqual({ message: CLASS.noneIdle(15), machines: 0, undoable: [] })
  })

  test('starts stopped machines with remaining hours, only in this training', async () => {
    const off = { observed: 'stopped', desired: 'stopped', first_seen_at: at(-60), password_due: false } as const
    const ready = await testTraining.add(off)
    const others = [
      await testTraining.add({ ...off, allotted_minutes: 5 as MachineRow['allotted_minutes'] }),
      await testTraining.add({ ...off, observed: 'running' }),
      await (await addTraining(app)).add(off),
    ]
    await openRun(app, others[0]!, at(-15))
    await sql`update run set stopped_at = ${at(-10)}, closed_by = 'stop accepted' where machine_id = ${others[0]!}`.execute(
      owner,
    )
    await updateRunSums(owner)
    const start = () => change((tx) => startStopped(tx as never, { role: 'admin' }, testTraining.training))
    expect(await start()).toMatchObject({ message: CLASS.started(1), machines: 1, undoable: [{}] })
    expect((await machine(ready)).desired).toBe('running')
    for (const id of others) expect((await machine(id)).desired).toBe('stopped')
    expect(await start()).toEqual({ message: CLASS.noneToStart, machines: 0, undoable: [] })
  })
})

describe('a CPU measurement', () => {
  /** Returns a provider with these measurements by location. It fails for all other locations. */
  function measuredProvider(byLocation: Readonly<Record<string, ReadonlyMap<string, readonly ProcessorMinute[]>>>) {
    const requests: { location: string; ids: string[]; from: number | null; to: number | null }[] = []
    const metrics: MachineMetrics = {
      async processorUsage(machines, location, { from, to }) {
        requests.push({ location, ids: machines.map(({ id }) => id), from: minutesOf(from), to: minutesOf(to) })
        const answer = byLocation[location]
        if (answer === undefined) throw new Error(`${location} does not answer.`)
        return answer
      },
    }
    return { requests, measure: () => measureMachines(app.db, { azure: metrics }, AbortSignal.timeout(20_000)) }
  }
  const minute = (from: number, percent: number | null): ProcessorMinute => ({ at: at(from), percent })

  beforeEach(async () => {
    await sql`update machine set observed = 'stopped'`.execute(owner)
  })

  test('reads running machines from their last known minute on, and stores the latest minute', async () => {
    const id = await addRunning({ activity: { cpu_at: at(-3), cpu_percent: 9, busy_at: at(-5) } })
    const idle = await addRunning({ activity: { cpu_at: at(-1), busy_at: at(-5) } })
    await addRunning({ machine: { desired: 'stopped' } })
    await addRunning({ machine: { observed: 'stopped' } })
    const { location } = await machine(id)
    const byLocation = new Map([
      [id, [minute(-4, 90), minute(-3, 90), minute(-2, 2)]],
      [idle, [minute(-2, 90)]],
    ])
    const { requests, measure } = measuredProvider({ [location]: byLocation })
    await measure()
    expect(requests).toEqual([{ location, ids: [id, idle], from: -3, to: 0 }])
    expect(await activityOf(id)).toMatchObject({ cpu_percent: 2, cpu_at: at(-1), busy_at: at(-2) })
    expect(await activityOf(idle)).toMatchObject({ cpu_percent: 1, cpu_at: at(-1), busy_at: at(-5) })
  })

  test('reads at most an hour, or since the start of the run, and skips machines without measurements', async () => {
    const [long, young] = [
      await addRunning({ ran: 90, activity: UNMEASURED }),
      await addRunning({ ran: 5.5, activity: { cpu_at: at(-20) } }),
    ]
    const { location } = await machine(long)
    const { requests, measure } = measuredProvider({
      [location]: new Map([[long, [minute(-60, 1), minute(-1, null)]]]),
    })
    await measure()
    expect(requests[0]!.from).toBe(-60)
    // The half hour before was not measured, so it counts as busy.
    expect(await activityOf(long)).toMatchObject({ cpu_at: at(-59), busy_at: at(-60) })
    expect(await activityOf(young)).toMatchObject({ cpu_at: at(-20) })
    await sql`update machine set observed = 'stopped' where id = ${long}`.execute(owner)
    await measure()
    expect(requests[1]!.from).toBe(-6)
  })

  test('fails if one location does not answer, but stores the measurements of the other locations', async () => {
    const [here, there] = [
      await addRunning(),
      await addRunning({ machine: { place: { group: 'labs', location: 'elsewhere' } } }),
    ]
    const answer = new Map([[there, [minute(-1, 40)]]])
    const { measure } = measuredProvider({ elsewhere: answer })
    const { location } = await machine(here)
    await expect(measure()).rejects.toThrow(`${location} does not answer.`)
    expect(await activityOf(there)).toMatchObject({ cpu_percent: 40, cpu_at: at(0), busy_at: at(0) })
  })
})
