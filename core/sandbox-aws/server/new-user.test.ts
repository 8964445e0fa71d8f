import { expect, test } from 'vitest'
import { testAwsUsers } from '@trainyard/platform/test/adapters.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'

const emulator = await sharedEmulator({ latency: 1, clock: 'stepped' })

interface TrueUser {
  readonly exists: boolean
  readonly hasAccess: boolean
  readonly hasLogin: boolean
}

async function truth(): Promise<TrueUser | undefined> {
  const { body } = await emulator.control('GET', '/_truth?part=aws')
  return (body.aws.users as TrueUser[]).at(-1)
}

test('denies access at once to a user blocked in its first seconds, and deletes it when AWS allows', async () => {
  const signal = new AbortController().signal
  const users = testAwsUsers(emulator.url)
  const at = { id: '0198c0de-0000-7000-8000-000000000002', username: 'brief', account: null }
  await users.create({ ...at, until: new Date('2099-01-01T00:00:00Z'), password: 'Correct-Horse-7' }, signal)
  expect(await truth()).toMatchObject({ exists: true, hasAccess: true })

  // AWS does not modify a login profile in its first seconds (terraform-provider-aws#4143).
  const notYetVisible = {
    kind: 'conflict',
    message:
      'AWS cannot delete the password of the user brief at present (EntityTemporarilyUnmodifiable): Login Profile for User brief cannot be modified while login profile is being created.',
  }
  await expect(users.block(at, signal)).rejects.toMatchObject(notYetVisible)
  expect(await truth()).toMatchObject({ exists: true, hasLogin: true, hasAccess: false })
  await expect(users.remove(at, signal)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await truth()).toMatchObject({ exists: true, hasAccess: false })

  await emulator.control('POST', '/_clock', { advanceSeconds: 10 })
  await users.block(at, signal)
  expect(await truth()).toMatchObject({ hasLogin: false })
  expect(await users.remove(at, signal)).toBe('something')
  expect(await users.remove(at, signal)).toBe('nothing')
  expect(await truth()).toMatchObject({ exists: false })
})
