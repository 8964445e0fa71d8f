import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import type { CloudMachineState } from '../../../providers/cloud.ts'
import type { Columns } from '../../../reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import { recordOrphans } from './orphans.ts'
import { sweep, type SweepScope, sweepIfDue } from './sweep.ts'
import { addTraining, openRun, type TestTraining, scriptedCloud, type ScriptedCloud } from '#test/scripted-cloud.ts'

let portal: TestPortal
let turns: Turns
let place: TestTraining
let cloud: ScriptedCloud

const machine = (id: MachineId) => turns.row<MachineRow>('machine', id)
/** Adds the machine to the list in this power state; null: without a power state. */
const show = async (id: MachineId, seen: CloudMachineState | null) => {
  const { name } = await machine(id)
  // The provider changes the case of resource groups.
  cloud.list = [...cloud.list, { resourceGroup: 'LABS', name, at: cloud.at, seen }]
}
const tag = async (id: MachineId, as: string | null = id) => {
  const { name } = await machine(id)
  cloud.tagged = [...cloud.tagged, { resourceGroup: 'Labs', name, id: as }]
}
const sweepCalls = async (scope: SweepScope) => {
  await sweep(portal.app.db, cloud, scope, AbortSignal.timeout(20_000))
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
  turns = await turnsOf(portal)
  await sql`truncate machine cascade`.execute(portal.owner)
  await sql`delete from orphan`.execute(portal.owner)
  cloud = scriptedCloud(turns.after(0))
  place = await addTraining(portal.app)
})

describe('a list of all machine states', () => {
  test('stores changed machines, schedules their next step, and does not write unchanged machines', async () => {
    const stopped = await place.add(running)
    const came = await place.add({ ...running, observed: 'changing', public_ip: null, reconcile_at: turns.after(90) })
    const same = await place.add({ ...running, reconcile_at: turns.after(70) })
    await openRun(portal.app, same, turns.after(-300))
    await show(stopped, { state: 'stopped', since: null })
    await show(came, RUNNING)
    await show(same, RUNNING)
    cloud.list = [...cloud.list, { resourceGroup: 'labs', name: 'nobodys', at: cloud.at, seen: RUNNING }]
    expect(await sweepCalls('states')).toEqual(['list'])
    expect(await machine(stopped)).toMatchObject({ observed: 'stopped', desired: 'stopped', pause: null })
    // The list has no addresses.
    expect(await machine(came)).toMatchObject({ observed: 'running', pause: 0 })
    expect(await machine(same)).toMatchObject({ observed: 'running', pause: 70 })
  })

  test("opens a missing run at the machine's start time, and closes the run of a stopped machine", async () => {
    const unmetered = await place.add({ ...running, created_at: turns.after(-600) })
    const overmetered = await place.add({ ...running, observed: 'stopped', desired: 'stopped' })
    await openRun(portal.app, overmetered, turns.after(-300))
    await show(unmetered, { state: 'running', since: turns.after(-120) })
    await show(overmetered, { state: 'stopped', since: turns.after(-60) })
    await sweepCalls('states')
    const { rows } = await sql<object>`
      select machine_id, started_at, stopped_at from run order by started_at`.execute(portal.owner)
    expect(rows).toEqual([
      { machine_id: overmetered, started_at: turns.after(-300), stopped_at: turns.after(-60) },
      { machine_id: unmetered, started_at: turns.after(-120), stopped_at: null },
    ])
  })

  test('settles a running machine that has its address', async () => {
    const came = await place.add({ ...running, observed: 'changing', reconcile_at: turns.after(90) })
    await show(came, RUNNING)
    await sweepCalls('states')
    expect(await machine(came)).toMatchObject({ observed: 'running', pause: null })
  })

  test('retries a failed command after the usual pause', async () => {
    const start = { command: 'start', command_at: turns.after(-100), command_accepted: true } as const
    const sent = { ...running, ...start, observed: 'changing', attempts: 1, public_ip: null } as const
    const ids = [await place.add({ ...sent, reconcile_at: turns.after(500) }), await place.add(sent)]
    for (const id of ids) await show(id, { state: 'stopped', since: turns.after(-50), failure: 'No room.' })
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
      await place.add({ ...fails, reconcile_at: turns.after(500) }),
      await place.add({ ...fails, reconcile_at: turns.after(30) }),
    ]
    for (const id of [long, short]) await show(id, { state: 'changing', toward: 'running' })
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
    const id = await place.add({ ...running, ...columns })
    const before = await machine(id)
    await show(id, { state: 'stopped', since: null })
    await sweepCalls('states')
    expect(await machine(id)).toEqual(before)
  })

  test.each([
    ['claimed', sql`leased_until = portal_now() + interval '1 minute'`],
    ['processed', sql`fence = fence + 1`],
  ])('does not change a machine that was %s since the list was requested', async (_, change) => {
    const id = await place.add(running)
    await show(id, { state: 'stopped', since: null })
    cloud.duringCall = () => sql`update machine set ${change} where id = ${id}`.execute(portal.owner)
    await sweepCalls('states')
    expect((await machine(id)).observed).toBe('running')
  })
})

describe('an observation is stored if it changes', () => {
  const sent = (command: MachineRow['command'], command_accepted: boolean): Columns<MachineRow> => ({
    command,
    command_at: turns.after(-200),
    command_accepted,
    observed: 'changing',
    reconcile_at: turns.after(33),
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
      () => ({ ...running, restart_asked_at: turns.after(-9) }),
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
    const id = await place.add(columns())
    await show(id, seen)
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
    const id = await place.add({ ...running, ...columns })
    await show(id, seen)
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
    const id = await place.add({ ...running, ...columns })
    expect(await sweepCalls('everything')).toEqual(['list', 'tags', ...(alone ? await readsOf(id) : [])])
    expect((await machine(id)).ended).toBe(alone ? 'It was deleted at the cloud outside of this portal.' : null)
  })

  test("with the portal's tag is not read and is no orphan", async () => {
    const id = await place.add(running)
    await tag(id)
    expect(await sweepCalls('everything')).toEqual(['list', 'tags'])
    expect(await orphans()).toEqual([])
  })

  test.each([['another'], [null]])(
    'replaced by a resource with the tag %s is read, and the resource is an orphan',
    async (other) => {
      const id = await place.add(running)
      await tag(id, other)
      expect(await sweepCalls('everything')).toEqual(['list', 'tags', ...(await readsOf(id))])
      expect(await orphans()).toMatchObject([{ resource_group: 'labs', tag: other, gone_at: null }])
    },
  )
})

describe('a deletion', () => {
  const deleting = (columns: Columns<MachineRow> = {}) =>
    place.add({
      ...running,
      observed: 'changing',
      desired: 'gone',
      command: 'delete',
      command_at: turns.after(-10),
      command_accepted: true,
      ...columns,
    })
  const seconds = async (id: MachineId) => (await machine(id)).pause

  test('whose read is due soon is postponed if the list shows that the deletion is in progress', async () => {
    const near = await deleting({ reconcile_at: turns.after(9) })
    const far = await deleting({ reconcile_at: turns.after(11) })
    const due = await deleting({ reconcile_at: turns.after(-1) })
    const failing = await deleting({ reconcile_at: turns.after(9), attempts: 1 })
    const other = await deleting({ reconcile_at: turns.after(9), command: 'stop', desired: 'running' })
    const claimed = await deleting({ reconcile_at: turns.after(9), leased_until: turns.after(60) })
    for (const id of [near, far, due, failing, other, claimed]) await show(id, DELETING)
    await sweepCalls('states')
    expect(await seconds(near)).toBeGreaterThanOrEqual(20)
    expect(await seconds(near)).toBeLessThanOrEqual(45)
    expect(await Promise.all([far, due, failing, other, claimed].map(seconds))).toEqual([11, -1, 9, 9, 9])
  })

  test('that failed according to the list is not postponed', async () => {
    const stays = await deleting({ reconcile_at: turns.after(9) })
    const turned = await deleting({ reconcile_at: turns.after(9) })
    await show(stays, RUNNING)
    await show(turned, { state: 'changing', toward: 'running' })
    await sweepCalls('states')
    expect(await Promise.all([stays, turned].map(seconds))).toEqual([9, 9])
  })

  test('of a machine that is no longer in the list continues immediately', async () => {
    const left = await deleting({ reconcile_at: turns.after(30) })
    const soon = await deleting({ reconcile_at: turns.after(5) })
    const failing = await deleting({ reconcile_at: turns.after(30), attempts: 1 })
    const claimed = await deleting({ reconcile_at: turns.after(30), leased_until: turns.after(60) })
    const unanswered = await deleting({ reconcile_at: turns.after(30), command_accepted: false })
    const other = await deleting({ reconcile_at: turns.after(30), command: 'stop', desired: 'running' })
    const listed = await deleting({ reconcile_at: turns.after(30) })
    await show(listed, DELETING)
    await sweepCalls('states')
    expect(await seconds(left)).toBe(0)
    expect(await Promise.all([soon, failing, claimed, unanswered, other, listed].map(seconds))).toEqual([
      5, 30, 30, 30, 30, 30,
    ])
  })

  test('of a machine that a worker claimed after the list was requested is not changed', async () => {
    const taken = await deleting({ reconcile_at: turns.after(30) })
    cloud.duringCall = () =>
      sql`update machine set leased_until = portal_now() + interval '9 seconds' where id = ${taken}`.execute(
        portal.owner,
      )
    await sweepCalls('states')
    expect(await seconds(taken)).toBe(30)
  })
})

describe('the scope of a sweep', () => {
  const due = (seconds: number) => sql`update whole_sweep set due_at = ${turns.after(seconds)}`.execute(portal.owner)
  const dueIn = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from due_at - portal_now())::float8 as seconds from whole_sweep`.execute(portal.owner)
    return rows[0]!.seconds
  }
  const runIfDue = () => sweepIfDue(portal.app.db, cloud, 60, AbortSignal.timeout(20_000))

  test('is everything when a full sweep is due, and again after the interval', async () => {
    await due(0)
    expect(await runIfDue()).toBe('everything')
    expect(cloud.calls).toEqual(['list', 'tags'])
    expect(await dueIn()).toBe(60)
  })

  test('is only the states while a machine is changing', async () => {
    await due(10)
    await place.add({ ...running, observed: 'changing' })
    expect(await runIfDue()).toBe('states')
    expect(cloud.calls).toEqual(['list'])
    expect(await dueIn()).toBe(10)
  })

  test('is empty while no machine is changing', async () => {
    await due(10)
    await place.add(running)
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

const orphans = () => portal.owner.selectFrom('orphan').selectAll().orderBy('name').execute()

describe('an orphan', () => {
  const orphan = (name: string, id: string | null = null, resourceGroup = 'Labs') => ({ name, id, resourceGroup })
  const record = (...orphansSeen: ReturnType<typeof orphan>[]) =>
    recordOrphans(portal.app.db, orphansSeen, turns.after(0))

  test('stores when it was first seen, is marked absent when missing, and can reappear', async () => {
    await record(orphan('one'), orphan('two', 'odd'))
    await turns.wait(10)
    await record(orphan('two', 'odd'))
    const first = turns.after(0)
    expect(await orphans()).toMatchObject([
      { name: 'one', tag: null, first_seen_at: first, last_seen_at: first, gone_at: turns.after(10) },
      { name: 'two', tag: 'odd', first_seen_at: first, last_seen_at: turns.after(10), gone_at: null },
    ])
    await turns.wait(10)
    await record(orphan('one'))
    expect(await orphans()).toMatchObject([
      { name: 'one', first_seen_at: first, last_seen_at: turns.after(20), gone_at: null },
      { name: 'two', gone_at: turns.after(20) },
    ])
    await turns.wait(10)
    await record(orphan('one', null, 'elsewhere'))
    expect(await orphans()).toMatchObject(
      [
        { name: 'one', resource_group: 'elsewhere', gone_at: null },
        { name: 'one', resource_group: 'labs', gone_at: turns.after(30) },
        { name: 'two', gone_at: turns.after(20) },
      ].toSorted((a, b) => a.name.localeCompare(b.name)),
    )
  })

  test('excludes machines with a row of the same name, group and ID', async () => {
    const id = await place.add(running)
    const { name } = await machine(id)
    await record(orphan(name, id))
    expect(await orphans()).toEqual([])
    await record(orphan('renamed', id), orphan(name, 'other'), orphan(name, id, 'elsewhere'))
    expect(await orphans()).toHaveLength(3)
  })

  test('excludes machines that were terminated after the list was requested', async () => {
    const gone = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const
    const late = await place.add({ ...gone, terminated_at: turns.after(5) })
    const early = await place.add({ ...gone, terminated_at: turns.after(-1) })
    const orphansSeen = await Promise.all([late, early].map(async (id) => orphan((await machine(id)).name, id)))
    await record(...orphansSeen)
    expect(await orphans()).toMatchObject([{ tag: early }])
  })
})
