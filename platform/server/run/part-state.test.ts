import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { CloudError } from '../providers/errors.ts'
import { startTestPortal, type TestPortal } from '../../test/portal.ts'
import { type TestReconciler, testReconciler } from '../../test/test-reconciler.ts'
import { recordCloudState, recordPartState } from './part-state.ts'

let portal: TestPortal
let reconciler: TestReconciler
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  reconciler = await testReconciler(portal)
})
afterAll(() => portal.close())

const cloud = () =>
  portal.owner.selectFrom('part_state').select(['up', 'seen_at']).where('part', '=', 'cloud').executeTakeFirst()
const fails = async (error: Error) => {
  const failing = async () => {
    throw error
  }
  await expect(recordCloudState(portal.app.db, failing)).rejects.toThrow(error.message)
}

test('records the cloud as up when it answered, and as down when unreachable or refusing credentials', async () => {
  await recordCloudState(portal.app.db, async () => null)
  expect(await cloud()).toBeUndefined()
  await recordCloudState(portal.app.db, async () => 'states')
  expect(await cloud()).toEqual({ up: true, seen_at: reconciler.timeAfter(0) })
  await reconciler.wait(5)
  await fails(new CloudError('unreachable', 'No answer.'))
  expect(await cloud()).toEqual({ up: false, seen_at: reconciler.timeAfter(5) })
  await recordPartState(portal.app.db, 'cloud', true)
  await fails(new CloudError('unauthorised', 'Who?'))
  expect((await cloud())?.up).toBe(false)
})

test('leaves the state unchanged on other refusals and on bugs', async () => {
  await recordPartState(portal.app.db, 'cloud', true)
  await fails(new CloudError('throttled', 'Later.'))
  await fails(new TypeError('bug'))
  expect((await cloud())?.up).toBe(true)
})
