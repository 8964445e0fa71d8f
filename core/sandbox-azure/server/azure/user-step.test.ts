import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import type { DirectoryUser, Identity, DirectoryUserState } from '../identity-provider.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { type TestReconciler, testReconciler } from '@trainyard/platform/test/test-reconciler.ts'
import { addSandbox, addUser } from '@trainyard/platform/test/azure-lab-rows.ts'
import { azureUserKind } from './user-step.ts'
import { endAzureUsers } from './wake.ts'

/** Test double of the directory, which returns the given sightings one after the other. The last one stays. */
let sightings: DirectoryUserState[] = []
let providerCalls: string[] = []
let created: DirectoryUser[] = []
const directory: Identity = {
  async createUser(user) {
    created.push(user)
    return { objectId: 'made' }
  },
  getUser: async ({ objectId }) => {
    providerCalls.push(`look ${objectId}`)
    return sightings.length > 1 ? sightings.shift()! : sightings[0]!
  },
  blockUser: async (objectId) => void providerCalls.push(`block ${objectId}`),
  createAccessPass: async () => null,
  deleteUser: async (objectId) => void providerCalls.push(`delete ${objectId}`),
}
const ABSENT: DirectoryUserState = { state: 'absent' }
const existingUser = (objectId: string, enabled = true): DirectoryUserState => ({
  state: 'existing',
  objectId,
  enabled,
})

let portal: TestPortal
let reconciler: TestReconciler
const processUser = (id: SandboxUserId) =>
  reconciler.process<AzureUserRow>(azureUserKind({ identity: directory, seal: portal.app.seal }), id)
const end = (id: SandboxUserId) => portal.owner.transaction().execute((tx) => endAzureUsers(tx, [id]))

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  reconciler = await testReconciler(portal)
  providerCalls = []
  created = []
  sightings = [ABSENT]
})

test('a new user is created from its row and read ten minutes later', async () => {
  const id = await addUser(portal.app, { email: 'asha@labs.test', personal_email: 'asha@home.test' })
  const row = await processUser(id)
  expect(created).toEqual([
    {
      id,
      signInName: 'asha@labs.test',
      displayName: 'asha',
      personalEmail: 'asha@home.test',
      firstPassword: 'Correct-Horse-7',
    },
  ])
  expect(row).toMatchObject({ object_id: 'made', create_sent_at: reconciler.timeAfter(0), attempts: 0, pause: 600 })
})

test('a failed creation keeps its time of sending in the row', async () => {
  const id = await addUser(portal.app)
  const failing = { ...directory, createUser: () => Promise.reject(new Error('lost')) }
  const kind = azureUserKind({ identity: failing, seal: portal.app.seal })
  await expect(reconciler.process<AzureUserRow>(kind, id)).rejects.toThrow('lost')
  expect(await reconciler.row<AzureUserRow>('azure_user', id)).toMatchObject({
    object_id: null,
    create_sent_at: reconciler.timeAfter(0),
    attempts: 1,
  })
})

test('when a user is created, exactly the sandboxes that wait for this user become due', async () => {
  const id = await addUser(portal.app)
  const later = reconciler.timeAfter(300)
  const waits = await addSandbox(portal.app, id, { reconcile_at: later })
  const delayed = await addSandbox(portal.app, id, { reconcile_at: later, attempts: 1 })
  const ends = await addSandbox(portal.app, id, { reconcile_at: later, desired: 'gone' })
  const open = await addSandbox(portal.app, id, { reconcile_at: later, access: 'full' })
  const other = await addSandbox(portal.app, await addUser(portal.app), { reconcile_at: later })
  await processUser(id)
  expect(await reconciler.row<SandboxRow>('sandbox', waits)).toMatchObject({ pause: 0, generation: 1 })
  for (const left of [delayed, ends, open, other]) {
    expect(await reconciler.row<SandboxRow>('sandbox', left)).toMatchObject({ pause: 300, generation: 0 })
  }
})

test('an existing user is read every ten minutes, and one disabled outside the portal is reported', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs', absent_at: reconciler.timeAfter(-50), last_error: 'old' })
  sightings = [existingUser('theirs')]
  expect(await processUser(id)).toMatchObject({ absent_at: null, last_error: null, desired: 'ready', pause: 600 })
  sightings = [existingUser('theirs', false)]
  const reason = 'The user was disabled in the directory outside of this portal.'
  expect(await processUser(id)).toMatchObject({ absent_at: null, last_error: reason, desired: 'ready', pause: 600 })
  expect(providerCalls).toEqual(['look theirs', 'look theirs'])
})

test.each([
  ['missing', ABSENT],
  ['deleted', { state: 'deleted', objectId: 'theirs' }],
] as const)('a user who is %s for a minute ends, not earlier', async (_, sighting) => {
  const id = await addUser(portal.app, { object_id: 'theirs' })
  sightings = [sighting]
  const first = { absent_at: reconciler.timeAfter(0), last_error: null, desired: 'ready', pause: 60 }
  expect(await processUser(id)).toMatchObject(first)
  await reconciler.wait(59)
  expect(await processUser(id)).toMatchObject(first)
  await reconciler.wait(1)
  expect(await processUser(id)).toMatchObject({ desired: 'gone', pause: 0 })
})

test('a recently created user does not count as missing until directories show it everywhere', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs', create_sent_at: reconciler.timeAfter(-100) })
  await processUser(id)
  await reconciler.wait(199)
  expect(await processUser(id)).toMatchObject({ absent_at: reconciler.timeAfter(0), desired: 'ready' })
  await reconciler.wait(1)
  expect(await processUser(id)).toMatchObject({ desired: 'gone' })
})

test('a user that ends is blocked, then deleted, and ended once missing for a minute', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs' })
  await end(id)
  sightings = [existingUser('theirs'), { state: 'deleted', objectId: 'theirs' }]
  const before = await processUser(id)
  expect(providerCalls).toEqual(['look theirs', 'block theirs', 'delete theirs', 'look theirs'])
  expect(before).toMatchObject({ blocked_at: reconciler.timeAfter(0), absent_at: null, ended_at: null, pause: 10 })
  await reconciler.wait(10)
  providerCalls = []
  expect(await processUser(id)).toMatchObject({ blocked_at: reconciler.timeAfter(0), absent_at: null, pause: 10 })
  expect(providerCalls).toEqual(['look theirs', 'block theirs', 'delete theirs', 'look theirs'])
  sightings = [ABSENT]
  await reconciler.wait(10)
  expect(await processUser(id)).toMatchObject({ absent_at: reconciler.timeAfter(20), ended_at: null, pause: 60 })
  await reconciler.wait(57)
  expect(await processUser(id)).toMatchObject({ absent_at: reconciler.timeAfter(20), ended_at: null, pause: 10 })
  await reconciler.wait(3)
  const ended = await processUser(id)
  expect(ended).toMatchObject({
    absent_at: reconciler.timeAfter(20),
    ended_at: reconciler.timeAfter(80),
    first_password: null,
    pause: null,
  })
  expect(ended.blocked_at).toEqual(reconciler.timeAfter(0))
})

test('a user whose creation had no reply is found, blocked and deleted by its object ID in the directory', async () => {
  const id = await addUser(portal.app, { create_sent_at: reconciler.timeAfter(-10) })
  await end(id)
  sightings = [existingUser('found'), existingUser('found')]
  expect(await processUser(id)).toMatchObject({ object_id: 'found', blocked_at: reconciler.timeAfter(0), pause: 10 })
  expect(providerCalls).toEqual(['look null', 'block found', 'delete found', 'look found'])
})

test('if two users have its name, the existing one is blocked again', async () => {
  const id = await addUser(portal.app, { object_id: 'first', blocked_at: reconciler.timeAfter(-90) })
  await end(id)
  sightings = [existingUser('second'), ABSENT]
  expect(await processUser(id)).toMatchObject({
    object_id: 'second',
    blocked_at: reconciler.timeAfter(0),
    absent_at: reconciler.timeAfter(0),
  })
  expect(providerCalls).toEqual(['look first', 'block second', 'delete second', 'look second'])
})

test('a user that was never created ends without a changing call', async () => {
  const id = await addUser(portal.app)
  await end(id)
  expect(await processUser(id)).toMatchObject({ absent_at: reconciler.timeAfter(0), ended_at: null, pause: 60 })
  await reconciler.wait(60)
  expect(await processUser(id)).toMatchObject({ ended_at: reconciler.timeAfter(60), pause: null })
  expect(providerCalls).toEqual(['look null', 'look null'])
})

test('a user ends only after its own sandboxes', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs' })
  const remaining = await addSandbox(portal.app, id)
  await addSandbox(portal.app, await addUser(portal.app))
  await end(id)
  await processUser(id)
  await reconciler.wait(60)
  expect(await processUser(id)).toMatchObject({ ended_at: null, pause: 10 })
  await reconciler.change<SandboxRow>('sandbox', remaining, { ended_at: reconciler.timeAfter(60), reconcile_at: null })
  expect(await processUser(id)).toMatchObject({ ended_at: reconciler.timeAfter(60) })
})
