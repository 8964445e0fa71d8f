import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { AzureUserRow, SandboxRow } from '../../../db/schema/azure-lab.ts'
import type { DirectoryUser, Identity, DirectoryUserState } from '../../../providers/identity.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { type Turns, turnsOf } from '#test/turn.ts'
import { addSandbox, addUser } from '#test/azure-lab-rows.ts'
import { azureUserKind } from './user-step.ts'
import { endAzureUsers } from './wake.ts'

/** Test double of the directory, which returns the given sightings one after the other. The last one stays. */
let sightings: DirectoryUserState[] = []
let asked: string[] = []
let made: DirectoryUser[] = []
const directory: Identity = {
  async createUser(user) {
    made.push(user)
    return { objectId: 'made' }
  },
  getUser: async ({ objectId }) => {
    asked.push(`look ${objectId}`)
    return sightings.length > 1 ? sightings.shift()! : sightings[0]!
  },
  blockUser: async (objectId) => void asked.push(`block ${objectId}`),
  createAccessPass: async () => null,
  deleteUser: async (objectId) => void asked.push(`delete ${objectId}`),
}
const ABSENT: DirectoryUserState = { state: 'absent' }
const seenAs = (objectId: string, enabled = true): DirectoryUserState => ({ state: 'existing', objectId, enabled })

let portal: TestPortal
let turns: Turns
const turn = (id: SandboxUserId) =>
  turns.turn<AzureUserRow>(azureUserKind({ identity: directory, seal: portal.app.seal }), id)
const end = (id: SandboxUserId) => portal.owner.transaction().execute((tx) => endAzureUsers(tx, [id]))

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  turns = await turnsOf(portal)
  asked = []
  made = []
  sightings = [ABSENT]
})

test('a new user is created from its row and read ten minutes later', async () => {
  const id = await addUser(portal.app, { email: 'asha@labs.test', personal_email: 'asha@home.test' })
  const row = await turn(id)
  expect(made).toEqual([
    {
      id,
      signInName: 'asha@labs.test',
      displayName: 'asha',
      personalEmail: 'asha@home.test',
      firstPassword: 'Correct-Horse-7',
    },
  ])
  expect(row).toMatchObject({ object_id: 'made', create_sent_at: turns.after(0), attempts: 0, pause: 600 })
})

test('a failed creation keeps its time of sending in the row', async () => {
  const id = await addUser(portal.app)
  const failing = { ...directory, createUser: () => Promise.reject(new Error('lost')) }
  const kind = azureUserKind({ identity: failing, seal: portal.app.seal })
  await expect(turns.turn<AzureUserRow>(kind, id)).rejects.toThrow('lost')
  expect(await turns.row<AzureUserRow>('azure_user', id)).toMatchObject({
    object_id: null,
    create_sent_at: turns.after(0),
    attempts: 1,
  })
})

test('when a user is created, exactly the sandboxes that wait for this user become due', async () => {
  const id = await addUser(portal.app)
  const later = turns.after(300)
  const waits = await addSandbox(portal.app, id, { reconcile_at: later })
  const delayed = await addSandbox(portal.app, id, { reconcile_at: later, attempts: 1 })
  const ends = await addSandbox(portal.app, id, { reconcile_at: later, desired: 'gone' })
  const open = await addSandbox(portal.app, id, { reconcile_at: later, access: 'full' })
  const other = await addSandbox(portal.app, await addUser(portal.app), { reconcile_at: later })
  await turn(id)
  expect(await turns.row<SandboxRow>('sandbox', waits)).toMatchObject({ pause: 0, generation: 1 })
  for (const left of [delayed, ends, open, other]) {
    expect(await turns.row<SandboxRow>('sandbox', left)).toMatchObject({ pause: 300, generation: 0 })
  }
})

test('an existing user is read every ten minutes, and one disabled outside the portal is reported', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs', absent_at: turns.after(-50), last_error: 'old' })
  sightings = [seenAs('theirs')]
  expect(await turn(id)).toMatchObject({ absent_at: null, last_error: null, desired: 'ready', pause: 600 })
  sightings = [seenAs('theirs', false)]
  const reason = 'The user was disabled in the directory outside of this portal.'
  expect(await turn(id)).toMatchObject({ absent_at: null, last_error: reason, desired: 'ready', pause: 600 })
  expect(asked).toEqual(['look theirs', 'look theirs'])
})

test.each([
  ['missing', ABSENT],
  ['deleted', { state: 'deleted', objectId: 'theirs' }],
] as const)('a user who is %s for a minute ends, not earlier', async (_, sighting) => {
  const id = await addUser(portal.app, { object_id: 'theirs' })
  sightings = [sighting]
  const first = { absent_at: turns.after(0), last_error: null, desired: 'ready', pause: 60 }
  expect(await turn(id)).toMatchObject(first)
  await turns.wait(59)
  expect(await turn(id)).toMatchObject(first)
  await turns.wait(1)
  expect(await turn(id)).toMatchObject({ desired: 'gone', pause: 0 })
})

test('a recently created user does not count as missing until directories show it everywhere', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs', create_sent_at: turns.after(-100) })
  await turn(id)
  await turns.wait(199)
  expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), desired: 'ready' })
  await turns.wait(1)
  expect(await turn(id)).toMatchObject({ desired: 'gone' })
})

test('a user that ends is blocked, then deleted, and ended once missing for a minute', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs' })
  await end(id)
  sightings = [seenAs('theirs'), { state: 'deleted', objectId: 'theirs' }]
  const before = await turn(id)
  expect(asked).toEqual(['look theirs', 'block theirs', 'delete theirs', 'look theirs'])
  expect(before).toMatchObject({ blocked_at: turns.after(0), absent_at: null, ended_at: null, pause: 10 })
  await turns.wait(10)
  asked = []
  expect(await turn(id)).toMatchObject({ blocked_at: turns.after(0), absent_at: null, pause: 10 })
  expect(asked).toEqual(['look theirs', 'block theirs', 'delete theirs', 'look theirs'])
  sightings = [ABSENT]
  await turns.wait(10)
  expect(await turn(id)).toMatchObject({ absent_at: turns.after(20), ended_at: null, pause: 60 })
  await turns.wait(57)
  expect(await turn(id)).toMatchObject({ absent_at: turns.after(20), ended_at: null, pause: 10 })
  await turns.wait(3)
  const ended = await turn(id)
  expect(ended).toMatchObject({
    absent_at: turns.after(20),
    ended_at: turns.after(80),
    first_password: null,
    pause: null,
  })
  expect(ended.blocked_at).toEqual(turns.after(0))
})

test('a user whose creation had no reply is found, blocked and deleted by its object ID in the directory', async () => {
  const id = await addUser(portal.app, { create_sent_at: turns.after(-10) })
  await end(id)
  sightings = [seenAs('found'), seenAs('found')]
  expect(await turn(id)).toMatchObject({ object_id: 'found', blocked_at: turns.after(0), pause: 10 })
  expect(asked).toEqual(['look null', 'block found', 'delete found', 'look found'])
})

test('if two users have its name, the existing one is blocked again', async () => {
  const id = await addUser(portal.app, { object_id: 'first', blocked_at: turns.after(-90) })
  await end(id)
  sightings = [seenAs('second'), ABSENT]
  expect(await turn(id)).toMatchObject({ object_id: 'second', blocked_at: turns.after(0), absent_at: turns.after(0) })
  expect(asked).toEqual(['look first', 'block second', 'delete second', 'look second'])
})

test('a user that was never created ends without a changing call', async () => {
  const id = await addUser(portal.app)
  await end(id)
  expect(await turn(id)).toMatchObject({ absent_at: turns.after(0), ended_at: null, pause: 60 })
  await turns.wait(60)
  expect(await turn(id)).toMatchObject({ ended_at: turns.after(60), pause: null })
  expect(asked).toEqual(['look null', 'look null'])
})

test('a user ends only after its own sandboxes', async () => {
  const id = await addUser(portal.app, { object_id: 'theirs' })
  const remaining = await addSandbox(portal.app, id)
  await addSandbox(portal.app, await addUser(portal.app))
  await end(id)
  await turn(id)
  await turns.wait(60)
  expect(await turn(id)).toMatchObject({ ended_at: null, pause: 10 })
  await turns.change<SandboxRow>('sandbox', remaining, { ended_at: turns.after(60), reconcile_at: null })
  expect(await turn(id)).toMatchObject({ ended_at: turns.after(60) })
})
