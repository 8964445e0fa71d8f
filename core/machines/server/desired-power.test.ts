import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Minutes } from '@trainyard/platform/contract/words/duration.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { MachineRow } from '../tables.gen.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { addTraining, type TestTraining, startReconcilerTest } from '@trainyard/platform/test/scripted-cloud.ts'
import type { TestReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { increaseQuota } from './increase-quota.ts'
import { stopOverQuota } from './stop-over-quota.ts'
import { clearRefusal, recordRefusal } from './refusal.ts'
import { setDesiredPower, requestRestart } from './desired-power.ts'

const minutes = (count: number) => count as Minutes

const portal = await sharedPortal()
let reconciler: TestReconciler
let testTraining: TestTraining

beforeEach(async () => {
  ;({ reconciler, testTraining } = await startReconcilerTest(portal))
})

const machine = (id: MachineId) => reconciler.row<MachineRow>('machine', id)
const failing: Columns<MachineRow> = {
  observed: 'running',
  attempts: 3,
  last_error: 'No.',
  refused: true,
  reconcile_at: null,
}
const FAILURES_CLEARED = { attempts: 0, last_error: null, refused: false, generation: 1, pause: 0 }
const ended = { desired: 'gone', observed: 'absent', admin_password: null, reconcile_at: null } as const

test('setting a desired state schedules the machine, clears failures and drops a requested restart', async () => {
  const changed = await testTraining.add({ ...failing, restart_asked_at: reconciler.timeAfter(-9) })
  const untouched = await testTraining.add(failing)
  await portal.owner.transaction().execute((tx) => setDesiredPower(tx, [changed], 'stopped'))
  expect(await machine(changed)).toMatchObject({ ...FAILURES_CLEARED, desired: 'stopped', restart_asked_at: null })
  expect(await machine(untouched)).toMatchObject({ desired: 'running', attempts: 3, generation: 0, pause: null })
})

test('requesting a restart of a stopped machine also sets its desired state to running', async () => {
  const changed = await testTraining.add({ ...failing, desired: 'stopped' })
  const untouched = await testTraining.add(failing)
  await portal.owner.transaction().execute((tx) => requestRestart(tx, [changed]))
  expect(await machine(changed)).toMatchObject({
    ...FAILURES_CLEARED,
    desired: 'running',
    restart_asked_at: reconciler.timeAfter(0),
  })
  expect(await machine(untouched)).toMatchObject({ restart_asked_at: null, generation: 0 })
})

test('keeps the desired state of a machine that must be deleted or is terminated', async () => {
  const deleting = await testTraining.add({ desired: 'gone', reconcile_at: reconciler.timeAfter(30) })
  const deletedColumns = await testTraining.add({ ...ended, terminated_at: reconciler.timeAfter(-9) })
  await portal.owner.transaction().execute(async (tx) => {
    await setDesiredPower(tx, [deleting, deletedColumns], 'running')
    await requestRestart(tx, [deleting, deletedColumns])
  })
  expect(await machine(deleting)).toMatchObject({ desired: 'gone', generation: 0, restart_asked_at: null, pause: 30 })
  expect(await machine(deletedColumns)).toMatchObject({ desired: 'gone', generation: 0, pause: null })
})

test('stops a machine at the end of its quota at once and clears its failures', async () => {
  const quotaFailure = await testTraining.add({ ...failing, attempts: 3, quota_ends_at: reconciler.timeAfter(-1) })
  await portal.owner.transaction().execute((tx) => stopOverQuota(tx))
  expect(await machine(quotaFailure)).toMatchObject({ ...FAILURES_CLEARED, desired: 'stopped' })
})

test('splits minutes evenly over live machines with a quota; the first machines get the remainder', async () => {
  const limited = [
    await testTraining.add({ allotted_minutes: minutes(10) }),
    await testTraining.add({ allotted_minutes: minutes(20) }),
  ]
  const others = [
    await testTraining.add(),
    await testTraining.add({ allotted_minutes: minutes(10), desired: 'gone' }),
    await testTraining.add({ ...ended, allotted_minutes: minutes(10), terminated_at: reconciler.timeAfter(-9) }),
    await (await addTraining(portal.app)).add({ allotted_minutes: minutes(10) }),
  ]
  const allotted = (ids: readonly MachineId[]) =>
    Promise.all(ids.map(async (id) => (await machine(id)).allotted_minutes))
  const [stopsInTen, stopsInTwenty] = limited.toSorted()
  const before = await allotted([stopsInTen!, stopsInTwenty!])
  await portal.owner.transaction().execute((tx) => increaseQuota(tx, testTraining.training, 7))
  expect(await allotted([stopsInTen!, stopsInTwenty!])).toEqual([before[0]! + 4, before[1]! + 3])
  expect(await allotted(others)).toEqual([null, 10, 10, 10])
})

test('rejects minutes above the maximum, and minutes for a training without any quota', async () => {
  const increase = (minutes: number) =>
    portal.owner.transaction().execute((tx) => increaseQuota(tx, testTraining.training, minutes))
  await expect(increase(5)).rejects.toThrow('No live machine of this training has a quota to increase.')
  await testTraining.add({ allotted_minutes: minutes(10) })
  const most = Math.floor((2 ** 31 - 1) / 60) - 10
  await expect(increase(most + 1)).rejects.toThrow(
    'increaseBy must leave each machine with at most 5,96,523 hours. Choose a smaller increase.',
  )
  await increase(most)
})

test('stores a refusal only on the template with the values that the machine was created from', async () => {
  const id = await testTraining.add()
  const { name, ...row } = await machine(id)
  const refusals = async () => {
    const { rows } = await sql<{ refusal: string | null }>`
      select refusal from template where name like ${`${testTraining.template}%`} order by name`.execute(portal.owner)
    return rows.map(({ refusal }) => refusal)
  }
  await sql`
    insert into template (name, rate_paise, provider, place, size, image, os, licence, cpu, memory, storage, disk)
    select name || ' other', rate_paise, provider, place, size, image, os, licence, cpu, memory, storage, disk
    from template where name = ${testTraining.template}`.execute(portal.owner)
  const note = (more: Columns<MachineRow> = {}) =>
    portal.owner
      .transaction()
      .execute((tx) =>
        recordRefusal(
          tx,
          { name, ...row, ...more } as MachineRow,
          `No place for the machine ${name}, ${name.toUpperCase()}, the security group training-${row.training_id}.`,
        ),
      )
  const others = [
    { image: { id: 'a:b:c' } },
    { size: { name: 'Other' } },
    { place: { ...row.place, location: 'elsewhere' } },
  ]
  for (const other of others) await note(other)
  expect(await refusals()).toEqual([null, null])
  await note()
  expect(await refusals()).toEqual(['No place for a machine, a machine, a security group.', null])
  const forget = (more: Columns<MachineRow> = {}) =>
    portal.owner.transaction().execute((tx) => clearRefusal(tx, { name, ...row, ...more } as MachineRow))
  await forget({ size: { name: 'Other' } })
  expect((await refusals())[0]).not.toBeNull()
  await forget()
  expect(await refusals()).toEqual([null, null])
})
