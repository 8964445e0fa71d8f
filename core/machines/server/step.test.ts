import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { MachineRow } from '../tables.gen.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { machineKind } from './step.ts'
import {
  addTraining,
  openRun,
  type TestTraining,
  scriptedCloud,
  type ScriptedCloud,
} from '@trainyard/platform/test/scripted-cloud.ts'
import { setDesiredPower } from './desired-power.ts'

let portal: TestPortal
let reconciler: TestReconciler
let testTraining: TestTraining
let cloud: ScriptedCloud
const processMachine = async (id: MachineId) => {
  const { db, seal } = portal.app
  cloud.calls.length = 0
  const row = await reconciler.process<MachineRow>(machineKind({ db, seal, clouds: { azure: cloud } }), id)
  return { ...row, asked: cloud.calls.map((call) => call.replace(` ${row.name}`, '')) }
}
const refusal = async () => {
  const { rows } = await sql<{ refusal: string | null }>`
    select refusal from template where name = ${testTraining.template}`.execute(portal.owner)
  return rows[0]!.refusal
}
const ADDRESS = '20.0.0.1'
const running: Columns<MachineRow> = { observed: 'running', public_ip: ADDRESS, first_seen_at: new Date(0) }
const stopped: Columns<MachineRow> = { observed: 'stopped', desired: 'stopped', first_seen_at: new Date(0) }

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  cloud = scriptedCloud(reconciler.timeAfter(0))
  testTraining = await addTraining(portal.app)
})

describe('a machine of a provider that is not set up', () => {
  test('says so and is retried, also for its deletion', async () => {
    const error = 'The provider lxd is not set up on this portal.'
    const failed = { asked: [], last_error: error, attempts: 1, pause: expect.any(Number), refused: false }
    expect(await processMachine(await testTraining.add({ provider: 'lxd' }))).toMatchObject(failed)
    const deleted = await testTraining.add({ ...running, provider: 'lxd', desired: 'gone' })
    expect(await processMachine(deleted)).toMatchObject({ ...failed, observed: 'running', terminated_at: null })
  })
})

describe('a machine in its desired state', () => {
  test('is not read if it has its address', async () => {
    expect(await processMachine(await testTraining.add(running))).toMatchObject({ asked: [], pause: null })
    expect(await processMachine(await testTraining.add(stopped))).toMatchObject({ asked: [], pause: null })
  })

  test('is read if it runs without an address', async () => {
    Object.assign(cloud, { state: { state: 'running', since: null }, address: ADDRESS })
    const id = await testTraining.add({ ...running, public_ip: null })
    expect(await processMachine(id)).toMatchObject({ asked: ['read'], public_ip: ADDRESS, pause: null })
  })

  test('is read until its failure is cleared', async () => {
    cloud.state = { state: 'running', since: null }
    const id = await testTraining.add({ ...running, last_error: 'No answer.', attempts: 2 })
    expect(await processMachine(id)).toMatchObject({ asked: ['read'], last_error: null, attempts: 0, pause: null })
  })
})

describe('a command', () => {
  test.each<[string, Columns<MachineRow>]>([
    ['create', {}],
    ['start', { ...stopped, desired: 'running' }],
    ['stop', { ...running, desired: 'stopped' }],
    ['restart', { ...running, restart_asked_at: new Date(0) }],
  ])("to %s is sent once and waited for, with the provider's time", async (command, columns) => {
    cloud.at = reconciler.timeAfter(7)
    const row = await processMachine(await testTraining.add(columns))
    expect(row).toMatchObject({ asked: [command], command, command_accepted: true, observed: 'changing', pause: 90 })
    expect(row.command_at).toEqual(reconciler.timeAfter(7))
  })

  test('that the provider has finished is read at once, and the next command follows', async () => {
    Object.assign(cloud, { isFinished: true, state: { state: 'running', since: null }, address: ADDRESS })
    const id = await testTraining.add({ ...stopped, desired: 'running', password_due: true })
    const row = await processMachine(id)
    expect(row).toMatchObject({ asked: ['start', 'read', expect.stringMatching(/^password/)], observed: 'running' })
    expect(row).toMatchObject({ command: null, password_due: false, public_ip: ADDRESS, pause: null })
    cloud.failures = { read: new CloudError('unreachable', 'No reply.') }
    const unread = await processMachine(await testTraining.add({ ...stopped, desired: 'running' }))
    expect(unread).toMatchObject({
      asked: ['start', 'read'],
      observed: 'changing',
      command_accepted: true,
      attempts: 1,
    })
  })

  test('is sent immediately after a read that shows it is needed', async () => {
    cloud.state = { state: 'stopped', since: null }
    const id = await testTraining.add({ observed: 'changing', first_seen_at: reconciler.timeAfter(-900) })
    expect(await processMachine(id)).toMatchObject({ asked: ['read', 'start'], command: 'start' })
  })

  test('is not sent immediately after an earlier failure: the pause continues', async () => {
    cloud.state = { state: 'stopped', since: null }
    const row = await processMachine(
      await testTraining.add({ observed: 'changing', attempts: 3, first_seen_at: reconciler.timeAfter(-900) }),
    )
    expect(row).toMatchObject({ asked: ['read'], observed: 'stopped', command: null })
    expect(row.pause).toBeGreaterThan(3)
  })

  test('is reported as overdue 15 minutes after its acceptance, not earlier', async () => {
    cloud.state = { state: 'changing', toward: 'running' }
    const leased = {
      observed: 'changing',
      command: 'start',
      command_at: reconciler.timeAfter(0),
      command_accepted: true,
    } as const
    const id = await testTraining.add({ ...leased, first_seen_at: reconciler.timeAfter(-900) })
    await reconciler.wait(900)
    expect(await processMachine(id)).toMatchObject({ asked: ['read'], last_error: null, pause: 450 })
    await reconciler.wait(1)
    const word = 'The cloud accepted this more than 15 minutes ago and has not finished it. The portal keeps checking.'
    expect(await processMachine(id)).toMatchObject({ last_error: word, attempts: 0 })
    await reconciler.change<MachineRow>('machine', id, { last_error: 'Something else.' })
    expect((await processMachine(id)).last_error).toBe('Something else.')
    await reconciler.change<MachineRow>('machine', id, { last_error: null, command_accepted: false })
    cloud.failures = { read: new CloudError('throttled', 'Later.', 9) }
    expect((await processMachine(id)).last_error).toBeNull()
  })

  test('sends no command while a command of another client is in progress', async () => {
    cloud.state = { state: 'changing', toward: 'running' }
    const id = await testTraining.add({ observed: 'changing', first_seen_at: reconciler.timeAfter(-9_000) })
    expect(await processMachine(id)).toMatchObject({ asked: ['read'], last_error: null, pause: 90 })
  })

  test("to create clears the template's refusal once accepted", async () => {
    await sql`update template set refusal = 'Refused.'`.execute(portal.owner)
    await processMachine(await testTraining.add({ ...stopped, desired: 'running' }))
    expect(await refusal()).toBe('Refused.')
    await processMachine(await testTraining.add())
    expect(await refusal()).toBeNull()
  })
})

describe('a command that fails', () => {
  const starts = () => testTraining.add({ ...stopped, desired: 'running' })

  test.each(['throttled', 'conflict', 'capacity', 'quota', 'refused', 'unauthorised'] as const)(
    'as %s was not executed and is cleared',
    async (kind) => {
      cloud.failures = { start: new CloudError(kind, 'No.') }
      const row = await processMachine(await starts())
      expect(row).toMatchObject({
        command: null,
        command_at: null,
        command_accepted: false,
        attempts: 1,
        refused: false,
      })
      expect(row.pause).toBeGreaterThan(0)
    },
  )

  test('without a reply may have been executed, so the machine is read', async () => {
    cloud.failures = { start: new CloudError('unreachable', 'No answer.') }
    const id = await starts()
    expect(await processMachine(id)).toMatchObject({
      command: 'start',
      command_accepted: false,
      last_error: 'No answer.',
    })
    cloud.failures = { read: new CloudError('refused', 'No read.') }
    expect(await processMachine(id)).toMatchObject({
      asked: ['read'],
      command: 'start',
      command_accepted: false,
      attempts: 2,
    })
  })

  test('because of a bug may have been executed, so the machine is read', async () => {
    cloud.failures = { start: new TypeError('bug') }
    const id = await starts()
    await expect(processMachine(id)).rejects.toThrow('bug')
    expect(await reconciler.row<MachineRow>('machine', id)).toMatchObject({ command: 'start', attempts: 1 })
  })

  test('while reading does not change the accepted command', async () => {
    cloud.failures = { read: new CloudError('throttled', 'Later.', 9) }
    const leased = {
      observed: 'changing',
      command: 'stop',
      command_at: reconciler.timeAfter(-30),
      command_accepted: true,
    } as const
    expect(await processMachine(await testTraining.add(leased))).toMatchObject({
      command: 'stop',
      command_accepted: true,
      attempts: 1,
    })
  })
})

describe('a permanent refusal', () => {
  const final = new CloudError('refused', 'No.', null, { final: true })

  test("of a creation is not retried; the template shows it without the machine's name", async () => {
    const id = await testTraining.add()
    const { name } = await reconciler.row<MachineRow>('machine', id)
    cloud.failures = { create: new CloudError('refused', `No place for the machine ${name}.`, null, { final: true }) }
    expect(await processMachine(id)).toMatchObject({
      refused: true,
      attempts: 1,
      observed: 'absent',
      command: null,
      pause: null,
    })
    expect(await refusal()).toBe('No place for a machine.')
    expect(await processMachine(id)).toMatchObject({ asked: [], refused: true })
  })

  test('of a password does not affect the template', async () => {
    cloud.failures = { password: final }
    const id = await testTraining.add({ ...running, password_due: true })
    expect(await processMachine(id)).toMatchObject({ refused: true, last_error: 'No.', pause: null })
    expect(await refusal()).toBeNull()
  })

  test('of any other command is retried and does not affect the template', async () => {
    cloud.failures = { start: final }
    const row = await processMachine(await testTraining.add({ ...stopped, desired: 'running' }))
    expect(row.refused).toBe(false)
    expect(row.pause).toBeGreaterThan(0)
    expect(await refusal()).toBeNull()
  })

  test('is dropped if another state was requested in the meantime', async () => {
    cloud.failures = { create: final }
    const id = await testTraining.add()
    cloud.duringCall = () => portal.owner.transaction().execute((tx) => setDesiredPower(tx, [id], 'running'))
    expect(await processMachine(id)).toMatchObject({ refused: false, pause: 0 })
    expect(await refusal()).toBeNull()
  })
})

test.each([
  ['refused', 'No.'],
  ['quota', 'No.'],
  ['capacity', 'No.'],
  ['unauthorised', 'No.'],
  ['throttled', null],
  ['conflict', null],
  ['unreachable', null],
] as const)('a temporary error (%s) of a creation is retried, and the template shows %s', async (kind, shown) => {
  cloud.failures = { create: new CloudError(kind, 'No.') }
  const row = await processMachine(await testTraining.add())
  expect(row.refused).toBe(false)
  expect(row.pause).toBeGreaterThan(0)
  expect(await refusal()).toBe(shown)
})

describe("a machine's own password", () => {
  const due = () => testTraining.add({ ...running, observed_at: reconciler.timeAfter(0), password_due: true })

  test("is set for the machine's account, after which the machine is settled", async () => {
    const row = await processMachine(await due())
    expect(row.asked).toEqual(['password of trainyard: Correct-Horse-7'])
    expect(row).toMatchObject({ password_due: false, attempts: 0, last_error: null, pause: null })
  })

  test('is polled again soon while it is being set', async () => {
    cloud.password = 'working'
    expect(await processMachine(await due())).toMatchObject({ password_due: true, attempts: 0, pause: 1 })
  })

  test('is followed by a read of the address if the address is unknown', async () => {
    const id = await testTraining.add({ ...running, public_ip: null, password_due: true })
    expect(await processMachine(id)).toMatchObject({ password_due: false, pause: 1 })
  })

  test('clears the earlier failure once it is set', async () => {
    const id = await testTraining.add({ ...running, password_due: true, attempts: 2, last_error: 'No.' })
    expect(await processMachine(id)).toMatchObject({ attempts: 0, last_error: null })
  })
})

describe('a deletion', () => {
  const deletedColumns: Columns<MachineRow> = { desired: 'gone' }
  const sent = (command: MachineRow['command'], command_accepted: boolean, ago = 30): Columns<MachineRow> => ({
    ...deletedColumns,
    command,
    command_accepted,
    command_at: reconciler.timeAfter(-ago),
  })
  const run = async (id: MachineId) =>
    portal.owner.selectFrom('run').select('stopped_at').where('machine_id', '=', id).executeTakeFirst()

  test.each<[string, Columns<MachineRow>, string]>([
    ['runs', { ...running, ...deletedColumns }, 'delete known'],
    ['is stopped', { ...stopped, ...deletedColumns }, 'delete known'],
    ['is being created', { observed: 'changing', first_seen_at: new Date(0), ...deletedColumns }, 'delete'],
    ['was never created', deletedColumns, 'delete never observed'],
  ])(
    'of a machine that %s tells the provider what is known about it, and ends when nothing remains',
    async (_, columns, call) => {
      const row = await processMachine(await testTraining.add(columns))
      expect(row).toMatchObject({ asked: [call], observed: 'absent', pause: null, leased_until: null })
      expect(row.terminated_at).toEqual(reconciler.timeAfter(0))
    },
  )

  test('ends billing with the first reply, and reads the parts every five seconds', async () => {
    const id = await testTraining.add({ ...running, ...deletedColumns, created_at: reconciler.timeAfter(-900) })
    await openRun(portal.app, id, reconciler.timeAfter(-600))
    Object.assign(cloud, { remaining: 'machine', at: reconciler.timeAfter(-2) })
    const first = await processMachine(id)
    expect(first).toMatchObject({ command: 'delete', command_accepted: true, observed: 'changing' })
    expect(first.pause).toBeGreaterThanOrEqual(20)
    expect(await run(id)).toEqual({ stopped_at: reconciler.timeAfter(-2) })
    await reconciler.wait(30)
    Object.assign(cloud, { remaining: 'parts', at: reconciler.timeAfter(30) })
    expect(await processMachine(id)).toMatchObject({
      asked: ['delete'],
      command_at: reconciler.timeAfter(-2),
      pause: 5,
    })
    cloud.remaining = 'nothing'
    expect((await processMachine(id)).terminated_at).toEqual(reconciler.timeAfter(30))
  })

  test('in progress closes an open run at the time at which the deletion was accepted', async () => {
    const id = await testTraining.add({
      ...sent('delete', true),
      observed: 'changing',
      created_at: reconciler.timeAfter(-900),
    })
    await openRun(portal.app, id, reconciler.timeAfter(-600))
    await processMachine(id)
    expect(await run(id)).toEqual({ stopped_at: reconciler.timeAfter(-30) })
  })

  test('is cleared if it fails, and is sent again in the next step', async () => {
    cloud.failures = { delete: new CloudError('refused', 'Locked.') }
    const id = await testTraining.add({ ...running, ...deletedColumns })
    expect(await processMachine(id)).toMatchObject({
      asked: ['delete known'],
      command: null,
      attempts: 1,
      last_error: 'Locked.',
    })
  })

  test('of a machine in creation first reads whether the machine has started to run', async () => {
    cloud.state = { state: 'running', since: reconciler.timeAfter(-10) }
    const id = await testTraining.add({
      ...sent('create', true),
      observed: 'changing',
      created_at: reconciler.timeAfter(-900),
    })
    const row = await processMachine(id)
    expect(row.asked).toEqual(['read', 'delete never observed'])
    expect(await run(id)).toEqual({ stopped_at: reconciler.timeAfter(0) })
  })

  test('of a machine whose creation has no reply waits a minute for the machine', async () => {
    const id = await testTraining.add(sent('create', false, 59))
    const row = await processMachine(id)
    const word = 'Waiting for a creation whose reply was lost.'
    expect(row).toMatchObject({ asked: ['delete never observed'], command: 'create', command_accepted: false })
    expect(row).toMatchObject({ attempts: 1, terminated_at: null })
    expect(row.pause).toBeGreaterThanOrEqual(20)
    await reconciler.change<MachineRow>('machine', id, { attempts: 2 })
    expect((await processMachine(id)).last_error).toBe(word)
    await reconciler.wait(1)
    cloud.at = reconciler.timeAfter(1)
    expect((await processMachine(id)).terminated_at).toEqual(reconciler.timeAfter(1))
  })

  test('continues with the remaining parts if the machine appeared later', async () => {
    cloud.remaining = 'machine'
    const row = await processMachine(await testTraining.add(sent('create', false)))
    expect(row).toMatchObject({ command: 'delete', command_accepted: true, attempts: 0 })
  })
})
