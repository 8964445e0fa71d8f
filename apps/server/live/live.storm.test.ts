import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { liveRunOf } from '../run-live.ts'
import { environmentWith, readConfig } from '@trainyard/platform/server/config/config.ts'
import { readRecordings } from '@trainyard/platform/emulator/test/recordings.ts'
import { unexpectedResults } from '@trainyard/platform/test/azure-recorded/unexpected-results.ts'
import { until } from '../start/test-run.ts'
import { deleteLeftResources } from './clean-up.ts'
import { openJournal } from './journal.ts'
import { runLive } from './live.ts'
import { readOptions } from './options.ts'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

const emulator = await sharedEmulator()
let dataDir: string
beforeEach(({ onTestFinished }) => {
  dataDir = mkdtempSync(join(tmpdir(), 'trainyard-live-'))
  onTestFinished(() => removeFolder(dataDir))
})

const settings = () => ({
  TRAINYARD_DATA: dataDir,
  SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  ...emulator.settings,
})

/** Runs the command in this process. `onOutput` receives the output. */
async function run(
  args: readonly string[],
  agree = true,
  onOutput: (text: string) => void = () => {},
  interrupted = new AbortController().signal,
) {
  let output = ''
  const log = (text: string) => {
    output += text
    onOutput(text)
  }
  const { config, secrets } = readConfig(settings())
  const live = await liveRunOf(config, secrets, readOptions(args), log)
  const code = await runLive(live, { logMessage: log, ask: async () => agree, interrupted })
  return { code, said: output }
}

async function truth<T>(part: string): Promise<T> {
  const reply = await fetch(`${emulator.url}/_truth?part=${part}`)
  return ((await reply.json()) as Record<string, T>)[part]!
}

const control = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${emulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(reply.ok).toBe(true)
}

/** Returns the names of all resources of the scenarios that exist at the emulator. */
async function remainingResources(): Promise<string[]> {
  const [groups, users, aws] = await Promise.all([
    truth<{ name: string }[]>('resourceGroups'),
    truth<{ userPrincipalName: string; exists: boolean }[]>('users'),
    truth<{ users: { name: string; exists: boolean }[] }>('aws'),
  ])
  return [
    ...groups.map(({ name }) => name),
    ...users.filter(({ exists }) => exists).map(({ userPrincipalName }) => userPrincipalName),
    ...aws.users.filter(({ exists }) => exists).map(({ name }) => name),
  ].filter((name) => name.includes('live'))
}

const fileEnding = (folder: string, ending: string): string => {
  const name = readdirSync(join(dataDir, 'live', folder)).find((each) => each.endsWith(ending))!
  return readFileSync(join(dataDir, 'live', folder, name), 'utf8')
}

test('every scenario passes, leaves nothing behind and is reported', { tags: ['storm'] }, async () => {
  const { code, said } = await run([], true, (text) => void payAt(/http:\S+/.exec(text)?.[0]))
  expect(said.match(/failed.*/g)).toBeNull()
  expect(code).toBe(0)
  expect(await remainingResources()).toEqual([])
  const report = fileEnding('', '.md')
  expect(report.match(/: passed/g)).toHaveLength(4)
  for (const step of ['create', 'ports', 'stop', 'start', 'restart', 'capture', 'metered', 'frozen', 'captured'])
    expect(report).toContain(step)
  expect(report).toContain('## Left behind\nNothing.')
})

async function payAt(page: string | undefined): Promise<void> {
  if (page === undefined) return
  const html = await (await fetch(page)).text()
  await control('/_payments', { order_id: /"order_id":"(\w+)"/.exec(html)![1] })
}

test('stores traffic in the format of the recordings, without secrets, names and account numbers', async () => {
  await run(['--only', 'machine,sandbox'])
  const text = fileEnding('traffic', '.ndjson')
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.length).toBeGreaterThan(40)
  expect(Object.keys(lines[0]!).toSorted()).toEqual(
    ['body', 'file', 'headers', 'method', 'path', 'requestBody', 'seq', 'source', 'status'].toSorted(),
  )
  const { config } = readConfig(settings())
  const secrets = [config.azure.subscriptionId, config.azure.tenantId, config.azure.labDomain!, 'Bearer']
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  const passwords = text.match(/"(adminPassword|password|protectedSettings)":"?[^",}]*/g) ?? []
  expect(passwords.length).toBeGreaterThan(1)
  expect(new Set(passwords.map((each) => each.split(':')[1]))).toEqual(new Set(['"scrubbed']))
})

test('stored traffic can be checked against the table of known answers', { tags: ['storm'] }, async () => {
  await run(['--only', 'machine'])
  const recordings = readRecordings(join(dataDir, 'live/traffic'))
  expect(await unexpectedResults(recordings)).toEqual([])
  const unexpectedStatus = { ...recordings.find(({ status }) => status === 404)!, status: 418 }
  expect(await unexpectedResults([unexpectedStatus])).toHaveLength(1)
})

describe('before any cost', () => {
  test('asks for confirmation and stops if refused', async () => {
    expect(await run(['--only', 'machine'], false)).toMatchObject({
      code: 1,
      said: expect.stringContaining('Nothing was done'),
    })
    expect(await remainingResources()).toEqual([])
  })

  test('stops if the scenarios could exceed the cost limit', async () => {
    const { code, said } = await run(['--only', 'machine', '--limit', '1'])
    expect(code).toBe(1)
    expect(said).toMatch(/more than the limit of ₹1\.00: nothing was done/)
    expect(await remainingResources()).toEqual([])
  })

  test.each([['--limit', 'many'], ['--only', 'everything'], ['--image', 'ubuntu'], ['--location', '../x'], ['--what']])(
    'rejects %s %s with a clear message',
    (...args) => {
      expect(() => readOptions(args.filter(Boolean))).toThrow(/^(--|Unknown option)/)
    },
  )
})

test('reports a failed scenario and deletes its resources', async () => {
  const { code, said } = await run(['--only', 'machine', '--image', 'Canonical:ubuntu-24_04-lts:nothing:latest'])
  expect(code).toBe(1)
  expect(said).toMatch(/failed .*image/i)
  expect(await remainingResources()).toEqual([])
})

test('reports a restart that was accepted and then failed', async () => {
  await control('/_faults', { kind: 'finishFailed', operation: 'VirtualMachines_Restart' })
  const { code, said } = await run(['--only', 'machine'])
  await fetch(`${emulator.url}/_faults`, { method: 'DELETE' })
  expect(code).toBe(1)
  expect(said).toMatch(/ok .* start\n {2}failed {2}live-1 failed: /)
  expect(await remainingResources()).toEqual([])
})

test('deletes the resources of a failed scenario before the next one starts', async () => {
  const MISSING_IMAGE = 'Canonical:ubuntu-24_04-lts:nothing:latest'
  const { said } = await run(['--only', 'machine,aws', '--image', MISSING_IMAGE])
  expect(said).toMatch(/failed .*\nDeleting remaining resources \.\.\.\nAn AWS lab user\n/)
  await control('/_faults', { kind: 'unauthorised', operation: 'ResourceGroups_Delete' })
  const { said: outputAfter } = await run(['--only', 'machine,aws', '--image', MISSING_IMAGE])
  await fetch(`${emulator.url}/_faults`, { method: 'DELETE' })
  expect(outputAfter).not.toMatch(/^An AWS lab user$/m)
  expect((await run(['--only', 'aws'])).code).toBe(0)
})

test('waits for users that the directories do not show yet, and deletes them', async () => {
  const { config, secrets } = readConfig(settings())
  const { providers, journal } = await liveRunOf(config, secrets, readOptions([]), () => {})
  onTestFinished(() => journal.close())
  await control('/_directory', { lagSeconds: 1 })
  const id = randomUUID()
  const signInName = `live-late@${config.azure.labDomain}`
  journal.recordBeforeCreate({ kind: 'directoryUser', id, signInName })
  const names = { displayName: 'Late', personalEmail: 'late@example.test', firstPassword: 'Correct-Horse-7' }
  await providers.identity.createUser({ id, signInName, ...names }, AbortSignal.timeout(10_000))
  await control('/_directory', { lagSeconds: 0 })
  const polling = { signal: AbortSignal.timeout(20_000), pollMs: 20, lag: 0.01 }
  expect(await deleteLeftResources(journal, providers, polling)).toEqual([])
  expect(await remainingResources()).toEqual([])
})

test('after a kill, the next run first deletes the remaining resources', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url))
  const args = [main, 'live', '--yes', '--only', 'machine,sandbox,aws']
  const child = spawn(process.execPath, args, {
    env: environmentWith(settings()),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until('a machine stands and more is under way', () => / {2}create\n/.test(output))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await remainingResources()).toHaveLength(1)

  const { code, said: outputAfter } = await run(['--only', 'aws'])
  expect(outputAfter).toMatch(/An earlier run left these resources behind:\n {2}The resource group trainyard-live-/)
  expect(code).toBe(0)
  expect(await remainingResources()).toEqual([])
})

test('reports a resource that cannot be deleted and deletes it in the next run', async () => {
  await control('/_faults', { kind: 'unauthorised', operation: 'ResourceGroups_Delete' })
  const { code, said } = await run(['--only', 'machine'])
  expect(code).toBe(1)
  expect(said).toMatch(/The resource group \S+ still exists: .* The next run tries again\./)
  await fetch(`${emulator.url}/_faults`, { method: 'DELETE' })
  expect((await run(['--only', 'aws'])).code).toBe(0)
  expect(await remainingResources()).toEqual([])
})

test('when interrupted, reports the interruption and deletes its resources', async () => {
  const interruption = new AbortController()
  const onOutput = (text: string) => void (text.endsWith('  create\n') && interruption.abort())
  const { code, said } = await run(['--only', 'machine'], true, onOutput, interruption.signal)
  expect(code).toBe(1)
  expect(said).toMatch(/failed {2}The run was interrupted before/)
  expect(await remainingResources()).toEqual([])
})

test('refuses a second run on the same folder, without affecting the first', async () => {
  let second: unknown
  const onOutput = (text: string) => {
    if (text.endsWith('  group\n')) second = run(['--only', 'aws']).catch((error: unknown) => error)
  }
  const { code } = await run(['--only', 'machine'], true, onOutput)
  expect(await second).toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/^Another npm run live is using/),
  })
  expect(code).toBe(0)
  expect(await remainingResources()).toEqual([])
})

test('reports a group that lost its tag instead of treating it as deleted', async () => {
  const interruption = new AbortController()
  const onOutput = (text: string) => {
    if (text.endsWith('  create\n')) void loseMark().then(() => interruption.abort())
  }
  const { code, said } = await run(['--only', 'machine'], true, onOutput, interruption.signal)
  expect(code).toBe(1)
  expect(said).toMatch(/The resource group \S+ still exists: it no longer has the tag/)
  const [group] = await remainingResources()
  await control(`/_groups/${group}/vanish`, {})
  expect((await run(['--only', 'aws'])).code).toBe(0)
})

/** Removes the tags of the existing group, as an admin at the provider's portal could. */
async function loseMark(): Promise<void> {
  const [group] = await remainingResources()
  const { subscriptionId } = readConfig(settings()).config.azure
  const path = `/subscriptions/${subscriptionId}/resourcegroups/${group}?api-version=2024-11-01`
  const reply = await fetch(emulator.url + path, {
    method: 'PUT',
    headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
    body: JSON.stringify({ location: 'southindia', tags: {} }),
  })
  expect(reply.ok).toBe(true)
}

test('reports a resource in another account and keeps it in the journal', async () => {
  const elsewhere = 'Azure subscription 1'
  const before = openJournal(join(dataDir, 'live'), { group: elsewhere, directoryUser: elsewhere, awsUser: elsewhere })
  before.recordBeforeCreate({ kind: 'group', id: 'any', group: 'trainyard-live-before' })
  before.close()
  const { code, said } = await run(['--only', 'aws'])
  expect(code).toBe(1)
  expect(said).toContain(
    'The resource group trainyard-live-before still exists: it was created on Azure subscription 1, but the current settings use the emulator.',
  )
  expect(fileEnding('', 'left.json')).toContain('trainyard-live-before')
})
