import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { MachineRow } from '../tables.gen.ts'
import type { Cloud, CloudMachineState } from '@trainyard/templates/server/cloud.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { recordOrphans } from './orphans.ts'
import { sweep, type SweepScope, sweepIfDue } from './sweep.ts'
import {
  addTraining,
  openRun,
  type TestTraining,
  scriptedCloud,
  type ScriptedCloud,
} from '@trainyard/platform/test/scripted-cloud.ts'

let portal: TestPortal
let reconciler: TestReconciler
let testTraining: TestTraining
let cloud: ScriptedCloud

const machine = (id: MachineId) => reconciler.row<MachineRow>('machine', id)
/** Adds the machine to the list in this power state; null: without a power state. */
const listMachine = async (id: MachineId, seen: CloudMachineState | null) => {
  const { name } = await machine(id)
  // The provider changes the case of resource groups.
  cloud.list = [...cloud.list, { place: { group: 'LABS' }, name, at: cloud.at, seen }]
}
const tag = async (id: MachineId, as: string | null = id) => {
  const { name } = await machine(id)
  cloud.tagged = [...cloud.tagged, { place: { group: 'Labs' }, name, id: as }]
}
const sweepCalls = async (scope: SweepScope) => {
  await sweep(portal.app.db, { azure: cloud }, scope, AbortSignal.timeout(20_000))
  return cloud.calls.splice(0)
}
const readsOf = async (...ids: MachineId[]) => Promise.all(ids.map(async (id) => `read ${(await machine(id)).name}`))

const RUNNING: CloudMachineState = { state: 'running', since: null }
const DELETING: CloudMachineState = { state: 'changing', toward: 'absent' }
const running: Columns<MachineRow> = {
  observed: 'running',
  public_ip: '20.0.0.1',
  first_seen_at: new Date(0),
  reconcile_at: null,
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  await sql`truncate machine cascade`.execute(portal.owner)
  await sql`delete from orphan`.execute(portal.owner)
  cloud = scriptedCloud(reconciler.timeAfter(0))
  testTraining = await addTraining(portal.app)
})

describe('a list of all machine states', () => {
  test('stores changed machines, schedules their next step, and does not write unchanged machines', async () => {
    const stopped = await testTraining.add(running)
    const becameReady = await testTraining.add({
      ...running,
      observed: 'changing',
      public_ip: null,
      reconcile_at: reconciler.timeAfter(90),
    })
    const unchanged = await testTraining.add({ ...running, reconcile_at: reconciler.timeAfter(70) })
    await openRun(portal.app, unchanged, reconciler.timeAfter(-300))
    await listMachine(stopped, { state: 'stopped', since: null })
    await listMachine(becameReady, RUNNING)
    await listMachine(unchanged, RUNNING)
    cloud.list = [...cloud.list, { place: { group: 'labs' }, name: 'nobodys', at: cloud.at, seen: RUNNING }]
    expect(await sweepCalls('states')).toEqual(['list'])
    expect(await machine(stopped)).toMatchObject({ observed: 'stopped', desired: 'stopped', pause: null })
    // The list has no addresses.
    expect(await machine(becameReady)).toMatchObject({ observed: 'running', pause: 0 })
    expect(await machine(unchanged)).toMatchObject({ observed: 'running', pause: 70 })
  })

  test("opens a missing run at the machine's start time, and closes the run of a stopped machine", async () => {
    const unmetered = await testTraining.add({ ...running, created_at: reconciler.timeAfter(-600) })
    const overmetered = await testTraining.add({ ...running, observed: 'stopped', desired: 'stopped' })
    await openRun(portal.app, overmetered, reconciler.timeAfter(-300))
    await listMachine(unmetered, { state: 'running', since: reconciler.timeAfter(-120) })
    await listMachine(overmetered, { state: 'stopped', since: reconciler.timeAfter(-60) })
    await sweepCalls('states')
    const { rows } = await sql<object>`
      select machine_id, started_at, stopped_at from run order by started_at`.execute(portal.owner)
    expect(rows).toEqual([
      { machine_id: overmetered, started_at: reconciler.timeAfter(-300), stopped_at: reconciler.timeAfter(-60) },
      { machine_id: unmetered, started_at: reconciler.timeAfter(-120), stopped_at: null },
    ])
  })

  test('settles a running machine that has its address', async () => {
    const becameReady = await testTraining.add({
      ...running,
      observed: 'changing',
      reconcile_at: reconciler.timeAfter(90),
    })
    await listMachine(becameReady, RUNNING)
    await sweepCalls('states')
    expect(await machine(becameReady)).toMatchObject({ observed: 'running', pause: null })
  })

  test('retries a failed command after the usual pause', async () => {
    const start = { command: 'start', command_at: reconciler.timeAfter(-100), command_accepted: true } as const
    const sent = { ...running, ...start, observed: 'changing', attempts: 1, public_ip: null } as const
    const ids = [
      await testTraining.add({ ...sent, reconcile_at: reconciler.timeAfter(500) }),
      await testTraining.add(sent),
    ]
    for (const id of ids)
      await listMachine(id, { state: 'stopped', since: reconciler.timeAfter(-50), failure: 'No room.' })
    await sweepCalls('states')
    for (const id of ids) {
      const row = await machine(id)
      expect(row).toMatchObject({ observed: 'stopped', attempts: 2, last_error: 'No room.' })
      expect(row.pause).toBeGreaterThan(0)
      expect(row.pause).toBeLessThanOrEqual(4)
    }
  })

  test('does not shorten the pause that a failure requested', async () => {
    const fails = { ...running, observed: 'stopped', attempts: 1, last_error: 'Later.', public_ip: null } as const
    const [long, short] = [
      await testTraining.add({ ...fails, reconcile_at: reconciler.timeAfter(500) }),
      await testTraining.add({ ...fails, reconcile_at: reconciler.timeAfter(30) }),
    ]
    for (const id of [long, short]) await listMachine(id, { state: 'changing', toward: 'running' })
    await sweepCalls('states')
    expect(await machine(long)).toMatchObject({ observed: 'changing', attempts: 1, pause: 500 })
    expect(await machine(short)).toMatchObject({ observed: 'changing', pause: 90 })
  })

  test.each<[string, Columns<MachineRow>]>([
    ['is being processed', { leased_until: new Date('2030-01-01') }],
    [
      'was terminated',
      { terminated_at: new Date(0), desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null },
    ],
  ])('does not change a machine that %s', async (_, columns) => {
    const id = await testTraining.add({ ...running, ...columns })
    const before = await machine(id)
    await listMachine(id, { state: 'stopped', since: null })
    await sweepCalls('states')
    expect(await machine(id)).toEqual(before)
  })

  test.each([
    ['claimed', sql`leased_until = portal_now() + interval '1 minute'`],
    ['processed', sql`fence = fence + 1`],
  ])('does not change a machine that was %s since the list was requested', async (_, change) => {
    const id = await testTraining.add(running)
    await listMachine(id, { state: 'stopped', since: null })
    cloud.duringCall = () => sql`update machine set ${change} where id = ${id}`.execute(portal.owner)
    await sweepCalls('states')
    expect((await machine(id)).observed).toBe('running')
  })
})

describe('an observation is stored if it changes', () => {
  const sent = (command: MachineRow['command'], command_accepted: boolean): Columns<MachineRow> => ({
    command,
    command_at: reconciler.timeAfter(-200),
    command_accepted,
    observed: 'changing',
    reconcile_at: reconciler.timeAfter(33),
  })
  test.each<[string, () => Columns<MachineRow>, CloudMachineState, object]>([
    ['the command', () => ({ ...running, ...sent('stop', true), observed: 'running' }), RUNNING, { command: null }],
    [
      'the acceptance of the command',
      () => ({ ...running, ...sent('start', false) }),
      { state: 'changing', toward: 'running' },
      { command_accepted: true },
    ],
    ['the last error', () => ({ ...running, last_error: 'Old.' }), RUNNING, { last_error: null }],
    [
      'a requested restart',
      () => ({ ...running, restart_asked_at: reconciler.timeAfter(-9) }),
      { state: 'halted', since: null },
      { restart_asked_at: null },
    ],
    [
      'the desired state',
      () => ({ ...running, observed: 'running' }),
      { state: 'halted', since: null },
      { desired: 'stopped' },
    ],
  ])('%s', async (_, columns, seen, after) => {
    const id = await testTraining.add(columns())
    await listMachine(id, seen)
    await sweepCalls('states')
    expect(await machine(id)).toMatchObject(after)
  })
})

describe('a list without power states', () => {
  test.each<[string, Columns<MachineRow>, CloudMachineState | null, boolean]>([
    ['running', {}, null, true],
    ['stopped', { observed: 'stopped', desired: 'stopped' }, null, true],
    ['after a failed operation', {}, { state: 'failed', reason: 'No.', since: null }, true],
    ['listed as running', {}, RUNNING, false],
    ['changing', { observed: 'changing' }, null, false],
    ['scheduled for its own step', { reconcile_at: new Date('2030-01-01') }, null, false],
    ['being processed', { leased_until: new Date('2030-01-01') }, null, false],
  ])('%s: read individually or not (%o, %o: %s)', async (_, columns, seen, alone) => {
    const id = await testTraining.add({ ...running, ...columns })
    await listMachine(id, seen)
    cloud.state = { state: 'stopped', since: null }
    expect(await sweepCalls('states')).toEqual(['list'])
    expect(await sweepCalls('everything')).toEqual(['list', 'tags', ...(alone ? await readsOf(id) : [])])
    const { observed } = await machine(id)
    expect(observed === 'stopped').toBe(alone || columns.observed === 'stopped')
  })
})

describe('a machine in no list', () => {
  test.each<[string, Columns<MachineRow>, boolean]>([
    ['that existed', {}, true],
    ['that was never created', { observed: 'absent' }, false],
    ['that must be deleted', { desired: 'gone' }, false],
    ['that is being processed', { leased_until: new Date('2030-01-01') }, false],
  ])('%s is read individually or not (%o: %s)', async (_, columns, alone) => {
    const id = await testTraining.add({ ...running, ...columns })
    expect(await sweepCalls('everything')).toEqual(['list', 'tags', ...(alone ? await readsOf(id) : [])])
    expect((await machine(id)).ended).toBe(alone ? 'It was deleted at the cloud outside of this portal.' : null)
  })

  test("with the portal's tag is not read and is no orphan", async () => {
    const id = await testTraining.add(running)
    await tag(id)
    expect(await sweepCalls('everything')).toEqual(['list', 'tags'])
    expect(await orphans()).toEqual([])
  })

  test.each([['another'], [null]])(
    'replaced by a resource with the tag %s is read, and the resource is an orphan',
    async (other) => {
      const id = await testTraining.add(running)
      await tag(id, other)
      expect(await sweepCalls('everything')).toEqual(['list', 'tags', ...(await readsOf(id))])
      expect(await orphans()).toMatchObject([{ place_group: 'labs', tag: other, gone_at: null }])
    },
  )
})

describe('a deletion', () => {
  const deleting = (columns: Columns<MachineRow> = {}) =>
    testTraining.add({
      ...running,
      observed: 'changing',
      desired: 'gone',
      command: 'delete',
      command_at: reconciler.timeAfter(-10),
      command_accepted: true,
      ...columns,
    })
  const seconds = async (id: MachineId) => (await machine(id)).pause

  test('whose read is due soon is postponed if the list shows that the deletion is in progress', async () => {
    const dueSoon = await deleting({ reconcile_at: reconciler.timeAfter(9) })
    const dueLater = await deleting({ reconcile_at: reconciler.timeAfter(11) })
    const due = await deleting({ reconcile_at: reconciler.timeAfter(-1) })
    const failing = await deleting({ reconcile_at: reconciler.timeAfter(9), attempts: 1 })
    const other = await deleting({ reconcile_at: reconciler.timeAfter(9), command: 'stop', desired: 'running' })
    const claimed = await deleting({ reconcile_at: reconciler.timeAfter(9), leased_until: reconciler.timeAfter(60) })
    for (const id of [dueSoon, dueLater, due, failing, other, claimed]) await listMachine(id, DELETING)
    await sweepCalls('states')
    expect(await seconds(dueSoon)).toBeGreaterThanOrEqual(20)
    expect(await seconds(dueSoon)).toBeLessThanOrEqual(45)
    expect(await Promise.all([dueLater, due, failing, other, claimed].map(seconds))).toEqual([11, -1, 9, 9, 9])
  })

  test('that failed according to the list is not postponed', async () => {
    const stillListed = await deleting({ reconcile_at: reconciler.timeAfter(9) })
    const changedState = await deleting({ reconcile_at: reconciler.timeAfter(9) })
    await listMachine(stillListed, RUNNING)
    await listMachine(changedState, { state: 'changing', toward: 'running' })
    await sweepCalls('states')
    expect(await Promise.all([stillListed, changedState].map(seconds))).toEqual([9, 9])
  })

  test('of a machine that is no longer in the list continues immediately', async () => {
    const remaining = await deleting({ reconcile_at: reconciler.timeAfter(30) })
    const dueSoon = await deleting({ reconcile_at: reconciler.timeAfter(5) })
    const failing = await deleting({ reconcile_at: reconciler.timeAfter(30), attempts: 1 })
    const claimed = await deleting({ reconcile_at: reconciler.timeAfter(30), leased_until: reconciler.timeAfter(60) })
    const withoutReply = await deleting({ reconcile_at: reconciler.timeAfter(30), command_accepted: false })
    const other = await deleting({ reconcile_at: reconciler.timeAfter(30), command: 'stop', desired: 'running' })
    const listed = await deleting({ reconcile_at: reconciler.timeAfter(30) })
    await listMachine(listed, DELETING)
    await sweepCalls('states')
    expect(await seconds(remaining)).toBe(0)
    expect(await Promise.all([dueSoon, failing, claimed, withoutReply, other, listed].map(seconds))).toEqual([
      5, 30, 30, 30, 30, 30,
    ])
  })

  test('of a machine that a worker claimed after the list was requested is not changed', async () => {
    const leased = await deleting({ reconcile_at: reconciler.timeAfter(30) })
    cloud.duringCall = () =>
      sql`update machine set leased_until = portal_now() + interval '9 seconds' where id = ${leased}`.execute(
        portal.owner,
      )
    await sweepCalls('states')
    expect(await seconds(leased)).toBe(30)
  })
})

describe('the scope of a sweep', () => {
  const due = (seconds: number) =>
    sql`update whole_sweep set due_at = ${reconciler.timeAfter(seconds)}`.execute(portal.owner)
  const dueIn = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from due_at - portal_now())::float8 as seconds from whole_sweep`.execute(portal.owner)
    return rows[0]!.seconds
  }
  const runIfDue = () => sweepIfDue(portal.app.db, { azure: cloud }, 60, AbortSignal.timeout(20_000))

  test('is everything when a full sweep is due, and again after the interval', async () => {
    await due(0)
    expect(await runIfDue()).toBe('everything')
    expect(cloud.calls).toEqual(['list', 'tags'])
    expect(await dueIn()).toBe(60)
  })

  test('is only the states while a machine is changing', async () => {
    await due(10)
    await testTraining.add({ ...running, observed: 'changing' })
    expect(await runIfDue()).toBe('states')
    expect(cloud.calls).toEqual(['list'])
    expect(await dueIn()).toBe(10)
  })

  test('is empty while no machine is changing', async () => {
    await due(10)
    await testTraining.add(running)
    expect(await runIfDue()).toBeNull()
    expect(cloud.calls).toEqual([])
  })

  test('is still everything after a failure', async () => {
    await due(-5)
    cloud.failures = { tags: new Error('No answer.') }
    await expect(runIfDue()).rejects.toThrow('No answer.')
    expect(await dueIn()).toBe(-5)
  })
})

describe('a sweep of several providers', () => {
  const sweepBoth = (other: ScriptedCloud) =>
    sweep(portal.app.db, { azure: cloud, lxd: other }, 'everything', AbortSignal.timeout(20_000))

  test('continues with the others if one does not answer, and then fails', async () => {
    const id = await testTraining.add({ ...running, provider: 'lxd' })
    const other = scriptedCloud(reconciler.timeAfter(0))
    const { name } = await machine(id)
    other.list = [{ place: { group: 'labs' }, name, at: other.at, seen: { state: 'stopped', since: null } }]
    cloud.failures = { list: new Error('No answer.') }
    await expect(sweepBoth(other)).rejects.toThrow('No answer.')
    expect(await machine(id)).toMatchObject({ observed: 'stopped' })
  })

  test('does not wait for one that never answers', async () => {
    const id = await testTraining.add({ ...running, provider: 'lxd' })
    const other = scriptedCloud(reconciler.timeAfter(0))
    const { name } = await machine(id)
    other.list = [{ place: { group: 'labs' }, name, at: other.at, seen: { state: 'stopped', since: null } }]
    // oxlint-disable-next-line require-yield
    const silent: Cloud['listMachines'] = async function* (signal) {
      await once(signal, 'abort')
    }
    const ending = new AbortController()
    const clouds = { azure: { ...cloud, listMachines: silent }, lxd: other }
    const sweeping = sweep(portal.app.db, clouds, 'everything', ending.signal)
    await until(
      'the machine of the other is seen',
      () => machine(id),
      ({ observed }) => observed === 'stopped',
    )
    ending.abort()
    await expect(sweeping).rejects.toThrow('aborted')
  })

  test('keeps their machines and orphans apart, even with the same group and name', async () => {
    const id = await testTraining.add({ ...running, provider: 'lxd' })
    await listMachine(id, { state: 'stopped', since: null })
    await tag(id, 'other')
    const other = scriptedCloud(reconciler.timeAfter(0))
    const { name } = await machine(id)
    other.tagged = [{ place: { group: 'labs' }, name, id }]
    await sweepBoth(other)
    expect(await machine(id)).toMatchObject({ observed: 'running' })
    expect(await orphans()).toMatchObject([{ provider: 'azure', name, tag: 'other', gone_at: null }])
  })
})

const orphans = () => portal.owner.selectFrom('orphan').selectAll().orderBy('name').execute()

describe('an orphan', () => {
  const orphan = (name: string, id: string | null = null, group = 'Labs') => ({ name, id, place: { group } })
  const record = (...orphansSeen: ReturnType<typeof orphan>[]) =>
    recordOrphans(portal.app.db, 'azure', orphansSeen, reconciler.timeAfter(0))

  test('stores when it was first seen, is marked absent when missing, and can reappear', async () => {
    await record(orphan('one'), orphan('two', 'odd'))
    await reconciler.wait(10)
    await record(orphan('two', 'odd'))
    const first = reconciler.timeAfter(0)
    expect(await orphans()).toMatchObject([
      { name: 'one', tag: null, first_seen_at: first, last_seen_at: first, gone_at: reconciler.timeAfter(10) },
      { name: 'two', tag: 'odd', first_seen_at: first, last_seen_at: reconciler.timeAfter(10), gone_at: null },
    ])
    await reconciler.wait(10)
    await record(orphan('one'))
    expect(await orphans()).toMatchObject([
      { name: 'one', first_seen_at: first, last_seen_at: reconciler.timeAfter(20), gone_at: null },
      { name: 'two', gone_at: reconciler.timeAfter(20) },
    ])
    await reconciler.wait(10)
    await record(orphan('one', null, 'elsewhere'))
    expect(await orphans()).toMatchObject(
      [
        { name: 'one', place_group: 'elsewhere', gone_at: null },
        { name: 'one', place_group: 'labs', gone_at: reconciler.timeAfter(30) },
        { name: 'two', gone_at: reconciler.timeAfter(20) },
      ].toSorted((a, b) => a.name.localeCompare(b.name)),
    )
  })

  test('excludes machines with a row of the same name, group and ID', async () => {
    const id = await testTraining.add(running)
    const { name } = await machine(id)
    await record(orphan(name, id))
    expect(await orphans()).toEqual([])
    await record(orphan('renamed', id), orphan(name, 'other'), orphan(name, id, 'elsewhere'))
    expect(await orphans()).toHaveLength(3)
  })

  test('excludes machines that were terminated after the list was requested', async () => {
    const deletedColumns = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
    const recent = await testTraining.add({ ...deletedColumns, terminated_at: reconciler.timeAfter(5) })
    const expired = await testTraining.add({ ...deletedColumns, terminated_at: reconciler.timeAfter(-1) })
    const orphansSeen = await Promise.all([recent, expired].map(async (id) => orphan((await machine(id)).name, id)))
    await record(...orphansSeen)
    expect(await orphans()).toMatchObject([{ tag: expired }])
  })
})
