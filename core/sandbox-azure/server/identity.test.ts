import { beforeEach, describe, expect, test } from 'vitest'
import { emulatorCredential, SignInUnreachable } from '@trainyard/azure/server/credentials.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { DirectoryUser } from './identity-provider.ts'
import { graphIdentity } from './identity.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const emulator = await sharedEmulator({ clock: 'stepped' })
const identity = graphIdentity({ credential: emulatorCredential(), emulatorUrl: emulator.url })
beforeEach(() => control('DELETE', '/_faults'))

const signal = () => AbortSignal.timeout(20_000)

const control = async (...call: Parameters<Caller>) => (await emulator.control(...call)).body

interface Known {
  readonly userPrincipalName: string
  readonly exists: boolean
  readonly canSignIn: boolean
  readonly sessionsRevokedAt: string | null
}
const named = async (name: string) =>
  ((await control('GET', '/_truth?part=users')) as { users: Known[] }).users.filter(
    ({ userPrincipalName }) => userPrincipalName === name,
  )

const user = (number: number): DirectoryUser => ({
  id: `0198c0de-0000-7000-8000-${String(number).padStart(12, '0')}`,
  signInName: `learner-${number}@labs.test`,
  displayName: `learner-${number}`,
  personalEmail: `learner-${number}@home.test`,
  firstPassword: 'Correct-Horse-7',
})
const known = (one: DirectoryUser, objectId: string | null = null) => ({ ...one, objectId })

test('reports an unreachable login server as unreachable, not as a credentials error', async () => {
  const unreachableCredential = { getToken: () => Promise.reject(new SignInUnreachable('login.example', 'ENOTFOUND')) }
  const identityWithoutToken = graphIdentity({ credential: unreachableCredential, emulatorUrl: emulator.url })
  await expect(identityWithoutToken.getUser(known(user(1)), signal())).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'The portal could not sign in: login.example cannot be reached.',
  })
})

test('creates a user once, blocks it, and deletes it permanently', async () => {
  const { objectId } = await identity.createUser(user(1), signal())
  expect(await identity.createUser(user(1), signal())).toEqual({ objectId })
  expect(await identity.getUser(known(user(1)), signal())).toEqual({ state: 'existing', objectId, enabled: true })
  await identity.blockUser(objectId, signal())
  await identity.blockUser(objectId, signal())
  expect(await identity.getUser(known(user(1), objectId), signal())).toMatchObject({ enabled: false })
  expect(await named(user(1).signInName)).toMatchObject([{ canSignIn: false, sessionsRevokedAt: expect.any(String) }])
  await identity.deleteUser(objectId, signal())
  await identity.deleteUser(objectId, signal())
  await identity.blockUser(objectId, signal())
  expect(await identity.getUser(known(user(1), objectId), signal())).toEqual({ state: 'absent' })
})

test('reports a restorable user as deleted', async () => {
  const { objectId } = await identity.createUser(user(2), signal())
  await control('POST', '/_faults', { kind: 'serverError', operation: 'directory.DeleteDeletedItems' })
  await expect(identity.deleteUser(objectId, signal())).rejects.toMatchObject({ kind: 'unreachable' })
  expect(await identity.getUser(known(user(2), objectId), signal())).toEqual({ state: 'deleted', objectId })
})

test('refuses and does not report a user of the same name without our mark', async () => {
  await identity.createUser(user(3), signal())
  const other = { ...user(4), signInName: user(3).signInName }
  await expect(identity.createUser(other, signal())).rejects.toMatchObject({ kind: 'refused' })
  expect(await identity.getUser(known(other), signal())).toEqual({ state: 'absent' })
  expect(await named(user(3).signInName)).toHaveLength(1)
})

test('finds its own user after a lost reply and a replication delay', async () => {
  await control('POST', '/_directory', { lagSeconds: 30 })
  await control('POST', '/_faults', { kind: 'loseReply', operation: 'users.user.CreateUser', times: 1 })
  await expect(identity.createUser(user(5), signal())).rejects.toMatchObject({ kind: 'unreachable' })
  await expect(identity.createUser(user(5), signal())).rejects.toMatchObject({ kind: 'conflict' })
  await control('POST', '/_clock', { advanceSeconds: 30 })
  await control('POST', '/_directory', { lagSeconds: 0 })
  expect((await identity.createUser(user(5), signal())).objectId).toMatch(/^[0-9a-f-]{36}$/)
  expect(await named(user(5).signInName)).toHaveLength(1)
})

describe('errors', () => {
  test.each([
    ['throttle', 'throttled', 9],
    ['refuseQuota', 'quota', null],
    ['unauthorised', 'unauthorised', null],
    ['serverError', 'unreachable', null],
    ['malformed', 'unreachable', null],
    ['dropConnection', 'unreachable', null],
    ['loseReply', 'unreachable', null],
  ])('maps %s to %s', async (injected, kind, retryAfter) => {
    await control('POST', '/_faults', { kind: injected, operation: 'users.user.ListUser', retryAfter: 9, times: 1 })
    const failed = await identity.getUser(known(user(6)), signal()).catch((problem: unknown) => problem)
    expect(failed).toBeInstanceOf(CloudError)
    expect(failed).toMatchObject({ kind, retryAfter })
  })

  test('aborts a call without a response when the caller aborts', async () => {
    await control('POST', '/_faults', { kind: 'hang', times: 1 })
    await expect(identity.getUser(known(user(6)), AbortSignal.timeout(200))).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('in time'),
    })
  })

  test('removes the password from the directory’s message', async () => {
    const weakUser = { ...user(7), firstPassword: 'simple' }
    const failed = (await identity.createUser(weakUser, signal()).catch((problem: unknown) => problem)) as CloudError
    expect(failed).toMatchObject({ kind: 'refused' })
    expect(JSON.stringify([failed.message, failed.cause])).not.toContain('simple')
  })
})

test.each(['..', '.', '', 'me/messages', '../groups', '%2e%2e', 'x?$top=999', 'x#y', "x')/members"])(
  'sends no request to Entra for a user with the id %j',
  async (objectId) => {
    const sent: string[] = []
    const listening = graphIdentity({
      credential: emulatorCredential(),
      emulatorUrl: emulator.url,
      send(input, init) {
        sent.push(input instanceof Request ? input.url : input.toString())
        return fetch(input, init)
      },
    })
    const calls = [
      listening.getUser(known(user(90), objectId), signal()),
      listening.blockUser(objectId, signal()),
      listening.deleteUser(objectId, signal()),
    ]
    for (const ended of await Promise.allSettled(calls)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: { name: 'CloudError', kind: 'refused' } })
    }
    expect(sent).toEqual([])
  },
)

test.each(['tom&jerry', "o'brien", 'a#b', '100%', 'x+y'])(
  'escapes the sign-in name in a directory query: %s',
  async (name) => {
    const one = { ...user(91), signInName: `${name}@labs.test` }
    expect(await identity.getUser(known(one), signal())).toEqual({ state: 'absent' })
  },
)
