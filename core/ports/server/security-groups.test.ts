import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { addTraining, type TestTraining, startReconcilerTest } from '@trainyard/platform/test/scripted-cloud.ts'
import type { TestReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { ensureSecurityGroups, wakeEmptySecurityGroups, wakeSecurityGroups } from './security-groups.ts'

const portal = await sharedPortal()
let reconciler: TestReconciler
let testTraining: TestTraining

beforeEach(async () => {
  ;({ reconciler, testTraining } = await startReconcilerTest(portal))
})

const groups = async (training: TrainingId) => {
  const { rows } = await sql<{ at: string; location: string; due: boolean; generation: number; attempts: number }>`
    select place_group as at, place ->> 'location' as location, coalesce(reconcile_at = portal_now(), false) as due, generation, attempts
    from security_group where training_id = ${training} order by place_group`.execute(portal.owner)
  return rows
}
const cover = (training: TrainingId) => portal.owner.transaction().execute((tx) => ensureSecurityGroups(tx, training))
const settleGroups = () =>
  sql`update security_group set reconcile_at = null, generation = 0, attempts = 1`.execute(portal.owner)
const ended = () =>
  ({
    desired: 'gone',
    observed: 'absent',
    admin_password: null,
    reconcile_at: null,
    terminated_at: reconciler.timeAfter(-9),
  }) as const
const IDLE = { due: false, generation: 0, attempts: 1 }
const DUE_AGAIN = { due: true, generation: 1, attempts: 0 }

test('creates one group of a training in each resource group with a live machine, ignoring case', async () => {
  await testTraining.add()
  await testTraining.add({ place: { group: 'LABS', location: 'eastus' } })
  await testTraining.add({ place: { group: 'far', location: 'westus' } })
  await testTraining.add({ ...ended(), place: { group: 'gone', location: 'westus' } })
  await (await addTraining(portal.app)).add({ place: { group: 'theirs', location: 'southindia' } })
  await cover(testTraining.training)
  const created = { due: true, generation: 1, attempts: 0 }
  expect(await groups(testTraining.training)).toEqual([
    { at: 'far', location: 'westus', ...created },
    { at: 'labs', location: 'southindia', ...created },
  ])
  await settleGroups()
  await cover(testTraining.training)
  expect(await groups(testTraining.training)).toMatchObject([
    { at: 'far', ...DUE_AGAIN },
    { at: 'labs', ...DUE_AGAIN },
  ])
})

test('makes only the groups of this training due', async () => {
  const other = await addTraining(portal.app)
  for (const each of [testTraining, other]) {
    await each.add()
    await cover(each.training)
  }
  await settleGroups()
  await portal.owner.transaction().execute((tx) => wakeSecurityGroups(tx, testTraining.training))
  expect(await groups(testTraining.training)).toMatchObject([DUE_AGAIN])
  expect(await groups(other.training)).toMatchObject([IDLE])
})

test('makes only groups without machines due for deletion', async () => {
  const other = await addTraining(portal.app)
  const machines = [
    await testTraining.add(),
    await testTraining.add({ place: { group: 'Far', location: 'southindia' } }),
    await testTraining.add({ place: { group: 'far', location: 'southindia' } }),
  ]
  await other.add({ place: { group: 'labs', location: 'southindia' } })
  for (const each of [testTraining, other]) await cover(each.training)
  await settleGroups()
  const wake = (...trainings: TrainingId[]) =>
    portal.owner.transaction().execute((tx) => wakeEmptySecurityGroups(tx, trainings))
  const end = (id: string) =>
    sql`update machine set desired = 'gone', observed = 'absent', admin_password = null, reconcile_at = null,
      terminated_at = portal_now() where id = ${id}`.execute(portal.owner)
  await end(machines[0]!)
  await end(machines[1]!)
  await wake(other.training)
  await wake()
  expect(await groups(testTraining.training)).toMatchObject([IDLE, IDLE])
  await wake(testTraining.training, other.training)
  expect(await groups(testTraining.training)).toMatchObject([
    { at: 'far', ...IDLE },
    { at: 'labs', ...DUE_AGAIN },
  ])
  expect(await groups(other.training)).toMatchObject([IDLE])
})
