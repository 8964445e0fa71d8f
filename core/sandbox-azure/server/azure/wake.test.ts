import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { SandboxId, SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { addSandbox, addUser } from '@trainyard/platform/test/azure-lab-rows.ts'
import { endAzureUsers, endExpiredAzureUsers, endSandboxes, endExpiredSandboxes } from './wake.ts'

let portal: TestPortal
let reconciler: TestReconciler
const sandbox = (id: SandboxId) => reconciler.row<SandboxRow>('sandbox', id)
const user = (id: SandboxUserId) => reconciler.row<AzureUserRow>('azure_user', id)
const accounts = async (id: SandboxUserId) => {
  const { email } = await user(id)
  return (await portal.owner.selectFrom('portal_user').select('id').where('email', '=', email).execute()).length
}

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
})

test('ending a sandbox clears failures, makes it due now, and happens once', async () => {
  const owner = await addUser(portal.app)
  const failing = { attempts: 3, last_error: 'Refused.', reconcile_at: reconciler.timeAfter(60) }
  const woken = await addSandbox(portal.app, owner, failing)
  const remaining = await addSandbox(portal.app, owner, failing)
  const end = () => portal.owner.transaction().execute((tx) => endSandboxes(tx, [woken]))
  await end()
  const ended = { desired: 'gone', attempts: 0, last_error: null, generation: 1, pause: 0 }
  expect(await sandbox(woken)).toMatchObject(ended)
  expect(await sandbox(remaining)).toMatchObject({ ...failing, desired: 'ready', generation: 0 })
  await reconciler.change<SandboxRow>('sandbox', woken, { attempts: 2, last_error: 'Still.' })
  await end()
  expect(await sandbox(woken)).toMatchObject({ attempts: 2, last_error: 'Still.', generation: 1 })
})

test("ending a lab user deletes the portal account and ends the user's sandboxes only", async () => {
  const failing = { attempts: 3, last_error: 'Refused.', reconcile_at: reconciler.timeAfter(60) }
  const [ends, active] = [await addUser(portal.app, failing), await addUser(portal.app, failing)]
  const own = await addSandbox(portal.app, ends)
  const foreign = await addSandbox(portal.app, active)
  const end = () => portal.owner.transaction().execute((tx) => endAzureUsers(tx, [ends]))
  await end()
  const ended = { desired: 'gone', attempts: 0, last_error: null, generation: 1, account_id: null, pause: 0 }
  expect(await user(ends)).toMatchObject(ended)
  expect(await user(active)).toMatchObject({ desired: 'ready', attempts: 3, generation: 0, pause: 60 })
  expect([await accounts(ends), await accounts(active)]).toEqual([0, 1])
  expect((await sandbox(own)).desired).toBe('gone')
  expect((await sandbox(foreign)).desired).toBe('ready')
  await end()
  expect((await user(ends)).generation).toBe(1)
  expect((await sandbox(own)).generation).toBe(1)
})

test('expired lab users and those without a portal account end, each once', async () => {
  const expired = await addUser(portal.app, { end_at: reconciler.timeAfter(60) })
  const deleted = await addUser(portal.app)
  const notEnded = await addUser(portal.app, { end_at: reconciler.timeAfter(61) })
  await endExpiredAzureUsers(portal.app.db)
  expect((await user(expired)).desired).toBe('ready')
  await portal.owner
    .deleteFrom('portal_user')
    .where('id', '=', (await user(deleted)).account_id!)
    .execute()
  await reconciler.wait(60)
  await endExpiredAzureUsers(portal.app.db)
  await endExpiredAzureUsers(portal.app.db)
  expect(await user(expired)).toMatchObject({ desired: 'gone', generation: 1 })
  expect(await user(deleted)).toMatchObject({ desired: 'gone', generation: 1 })
  expect((await user(notEnded)).desired).toBe('ready')
})

test('sandboxes end once at their deleteTime', async () => {
  const owner = await addUser(portal.app)
  const expired = await addSandbox(portal.app, owner, { delete_at: reconciler.timeAfter(60) })
  const notEnded = await addSandbox(portal.app, owner, { delete_at: reconciler.timeAfter(61) })
  await endExpiredSandboxes(portal.app.db)
  expect((await sandbox(expired)).desired).toBe('ready')
  await reconciler.wait(60)
  await endExpiredSandboxes(portal.app.db)
  await endExpiredSandboxes(portal.app.db)
  expect(await sandbox(expired)).toMatchObject({ desired: 'gone', generation: 1 })
  expect((await sandbox(notEnded)).desired).toBe('ready')
})
