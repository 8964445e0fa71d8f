import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { SandboxId, SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { Columns } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { sandboxKind } from './sandbox-step.ts'
import {
  sandboxMachine,
  scriptedDirectory,
  type ScriptedDirectory,
} from '@trainyard/platform/test/scripted-directory.ts'
import { addSandbox, addUser } from '@trainyard/platform/test/azure-lab-rows.ts'
import { endSandboxes } from './wake.ts'

let portal: TestPortal
let reconciler: TestReconciler
let cloud: ScriptedDirectory
let user: SandboxUserId
const processSandbox = (id: SandboxId) =>
  reconciler.process<SandboxRow>(sandboxKind({ db: portal.app.db, groups: cloud }), id)
const consumed = async () => (await reconciler.row<AzureUserRow>('azure_user', user)).consumed_paise

/** Adds a sandbox that was ready and charged five minutes ago, and ends it. */
async function ending(columns: Columns<SandboxRow> = {}): Promise<SandboxId> {
  const before = reconciler.timeAfter(-300)
  const ready = { ours: true, access: 'full', ready_at: before, metered_at: before, seen_at: before } as const
  const id = await addSandbox(portal.app, user, { ...ready, ...columns })
  await portal.owner.transaction().execute((tx) => endSandboxes(tx, [id]))
  return id
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  cloud = scriptedDirectory()
  user = await addUser(portal.app, { object_id: 'theirs' })
})

test('access is removed, the resources are charged a last time, and then the group is deleted', async () => {
  cloud.resources = [sandboxMachine('on', true)]
  const row = await processSandbox(await ending({ absent_at: reconciler.timeAfter(-20) }))
  expect(cloud.calls).toEqual(['read', 'access none', 'list', 'delete'])
  const now = reconciler.timeAfter(0)
  expect(row).toMatchObject({
    access: 'none',
    blocked_at: now,
    absent_at: null,
    seen_at: now,
    last_error: null,
    pause: 10,
  })
  expect(await consumed()).toBe(117)
})

test('a sandbox that was never charged, or could not be read twice, is deleted without a last charge', async () => {
  await processSandbox(await ending({ metered_at: null }))
  expect(cloud.calls).toEqual(['read', 'access none', 'delete'])
  cloud = scriptedDirectory()
  cloud.failures = { list: new CloudError('unreachable', 'No answer.') }
  const id = await ending()
  expect(await processSandbox(id)).toMatchObject({ attempts: 1, last_error: 'No answer.' })
  expect(await processSandbox(id)).toMatchObject({ attempts: 2 })
  expect(cloud.calls).not.toContain('delete')
  expect(await processSandbox(id)).toMatchObject({ attempts: 0, pause: 10 })
  expect(cloud.calls.slice(-3)).toEqual(['read', 'access none', 'delete'])
})

test('a group that is absent at the last charge is deleted nevertheless', async () => {
  cloud.resources = null
  await processSandbox(await ending())
  expect(cloud.calls).toEqual(['read', 'access none', 'list', 'delete'])
  expect(await consumed()).toBe(0)
})

test('a deletion in progress is waited for, and reported as slow after ten minutes', async () => {
  const id = await ending()
  await processSandbox(id)
  cloud.group = { state: 'deleting', ours: true }
  await reconciler.wait(600)
  expect(await processSandbox(id)).toMatchObject({
    blocked_at: reconciler.timeAfter(0),
    seen_at: reconciler.timeAfter(600),
    last_error: null,
    pause: 10,
  })
  await reconciler.wait(1)
  const reason = 'Access is blocked. The cloud is still deleting the resources.'
  expect(await processSandbox(id)).toMatchObject({ last_error: reason, attempts: 0, pause: 10 })
  expect(cloud.calls.slice(-2)).toEqual(['read', 'read'])
})

test('a group being deleted outside the portal before it was blocked is not reported as slow', async () => {
  cloud.group = { state: 'deleting', ours: true }
  const id = await ending()
  await reconciler.wait(601)
  expect(await processSandbox(id)).toMatchObject({ blocked_at: null, last_error: null })
})

test('a group that reappears keeps the time at which it was blocked', async () => {
  expect(await processSandbox(await ending({ blocked_at: reconciler.timeAfter(-40) }))).toMatchObject({
    blocked_at: reconciler.timeAfter(-40),
  })
})

test('a group absent for ten seconds is ended, not earlier', async () => {
  cloud.group = { state: 'absent' }
  const id = await ending()
  expect(await processSandbox(id)).toMatchObject({
    ours: false,
    access: 'none',
    absent_at: reconciler.timeAfter(0),
    blocked_at: reconciler.timeAfter(0),
    ended_at: null,
    pause: 10,
  })
  await reconciler.wait(9)
  expect(await processSandbox(id)).toMatchObject({
    absent_at: reconciler.timeAfter(0),
    blocked_at: reconciler.timeAfter(0),
    ended_at: null,
    pause: 1,
  })
  await reconciler.wait(1)
  expect(await processSandbox(id)).toMatchObject({ access: 'none', ended_at: reconciler.timeAfter(10), pause: null })
  expect(cloud.calls).toEqual(['read', 'read', 'read'])
})

test('a group whose creation may still complete is waited for', async () => {
  cloud.group = { state: 'absent' }
  const id = await ending({ ours: false, create_sent_at: reconciler.timeAfter(-50), seen_at: null })
  expect(await processSandbox(id)).toMatchObject({ ended_at: null, pause: 250 })
})

test("a group with another owner's tag is not changed, unless it was this portal's before", async () => {
  cloud.group = { state: 'existing', ours: false }
  await processSandbox(await ending({ ours: false }))
  expect(cloud.calls).toEqual(['read'])
  await processSandbox(await ending())
  expect(cloud.calls).toContain('delete')
})

test('a group from a creation without a reply is deleted because of its tag', async () => {
  const row = await processSandbox(await ending({ ours: false, metered_at: null }))
  expect(cloud.calls).toEqual(['read', 'access none', 'delete'])
  expect(row.ours).toBe(true)
})
