import { afterAll, beforeEach, expect, test } from 'vitest'
import { until } from '@trainyard/platform/test/until.ts'
import { startProxy } from '@trainyard/remote-access/test/openssh.ts'
import { startRealShell } from '../../test/real-shell.ts'
import { sshScripts } from './ssh-scripts.ts'

/** Reactions of the SSH server to the next commands; then it runs them. */
let next: ('refused' | 'unanswered')[] = []
const shell = await startRealShell('student', 'secret', () => next.shift() ?? null)
const proxy = await startProxy(() => shell.port)
const scripts = sshScripts({ proxy: proxy.url })
const target = {
  address: '203.0.113.7',
  network: null,
  account: 'student',
  password: 'secret',
  isTrustedKey: async () => true,
}
const check = async (seconds = 5, signal = AbortSignal.timeout(10_000)) => {
  const connection = await scripts.open(target, signal, { isKept: true })
  try {
    return await connection.run({ text: 'exit 7', args: [], as: 'learner', seconds, variables: {} })
  } finally {
    connection.close()
  }
}
const openConnections = (count: number) =>
  until(
    `${count} connections`,
    async () => shell.connections(),
    (open) => open === count,
  )

beforeEach(async () => {
  next = []
  await check()
  await openConnections(1)
})
afterAll(async () => {
  await scripts.close()
  await shell.stop()
  proxy.stop()
})

test('a machine that refuses a script on a kept connection gets a new one in its place', async () => {
  for (let clicks = 0; clicks < 3; clicks += 1) {
    next = ['refused']
    expect((await check()).status).toBe(7)
  }
  await openConnections(1)
  next = ['refused', 'refused']
  await expect(check()).rejects.toMatchObject({ kind: 'unreachable' })
  await openConnections(0)
})

test('a script that a machine never starts ends with its limit, and with the signal of its click', async () => {
  next = ['unanswered']
  const stop = new AbortController()
  const click = check(60, stop.signal)
  await until(
    'the script is asked for',
    async () => next.length,
    (left) => left === 0,
  )
  stop.abort()
  await expect(click).rejects.toMatchObject({ kind: 'unreachable' })
  await openConnections(0)
  next = ['unanswered']
  await expect(check(0)).rejects.toMatchObject({ kind: 'unreachable' })
  await openConnections(0)
})
