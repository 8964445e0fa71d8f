import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmulator } from '@trainyard/emulator/emulator.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAwsUsers } from '#test/adapters.ts'

let dataDir: string
let emulator: Awaited<ReturnType<typeof startEmulator>>
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trainyard-aws-new-'))
  emulator = await startEmulator({ port: 0, smtpPort: 0, dataDir, latency: 1, clock: 'stepped' })
})
afterAll(async () => {
  await emulator.stop()
  await rm(dataDir, { recursive: true, force: true })
})

interface TrueUser {
  readonly exists: boolean
  readonly getsIn: boolean
  readonly hasLogin: boolean
}

async function truth(): Promise<TrueUser | undefined> {
  const reply = (await (await fetch(`${emulator.url}/_truth?part=aws`)).json()) as { aws: { users: TrueUser[] } }
  return reply.aws.users.at(-1)
}

async function advance(seconds: number): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await fetch(`${emulator.url}/_clock`, { method: 'POST', headers, body: JSON.stringify({ advanceSeconds: seconds }) })
}

test('a user blocked and removed in its first seconds gets in no more at once, and is gone when AWS allows it', async () => {
  const signal = new AbortController().signal
  const users = testAwsUsers(emulator.url)
  const at = { id: '0198c0de-0000-7000-8000-000000000002', username: 'brief', account: null }
  await users.create({ ...at, until: new Date('2099-01-01T00:00:00Z'), password: 'Correct-Horse-7' }, signal)
  expect(await truth()).toMatchObject({ exists: true, getsIn: true })

  // AWS changes no login profile in its first seconds (terraform-provider-aws#4143).
  const notYet = {
    kind: 'conflict',
    message:
      'AWS can not take the password of the user brief just now (EntityTemporarilyUnmodifiable): Login Profile for User brief cannot be modified while login profile is being created.',
  }
  await expect(users.block(at, signal)).rejects.toMatchObject(notYet)
  expect(await truth()).toMatchObject({ exists: true, hasLogin: true, getsIn: false })
  await expect(users.remove(at, signal)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await truth()).toMatchObject({ exists: true, getsIn: false })

  await advance(10)
  await users.block(at, signal)
  expect(await truth()).toMatchObject({ hasLogin: false })
  expect(await users.remove(at, signal)).toBe('something')
  expect(await users.remove(at, signal)).toBe('nothing')
  expect(await truth()).toMatchObject({ exists: false })
})
