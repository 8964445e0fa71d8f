import { spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { backupCommand, restoreCommand } from '../start/backup-commands.ts'
import { openToOthers } from '../start/test-file-modes.ts'
import { MAIN } from '../start/test-run.ts'
import { SECRET_KEYS, startBackupCluster } from './backup-cluster.ts'
import { createSubjects } from './world.ts'

const { dir, settings, url, stop } = await startBackupCluster()
afterAll(stop)

/** Inserts audit rows one after another until stopped. Returns the time at which each was acknowledged. */
function writeOn(url: string) {
  const acknowledged: number[] = []
  const stopping = new AbortController()
  const done = (async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!stopping.signal.aborted) {
      await client.query(`insert into audit (request_id, call, detail) values ('written', 'x', '{}')`)
      acknowledged.push(Date.now())
    }
    await client.end()
  })()
  return {
    acknowledged,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

const file = join(dir, 'backups', 'one.backup')
const there = (name: string, given: Record<string, string> = {}) =>
  readConfig(
    { TRAINYARD_DATA: join(dir, name), ...(given['LOST_KEYS'] === undefined && { SECRET_KEYS }), ...given },
    { forRestore: true },
  )

test('restores everything acknowledged from a backup under load, and lets its users sign in', async () => {
  const portal = await startPortalOn(url, settings)
  await createSubjects(portal)
  // Sign-in needs only a password.
  await queryDatabase(url, 'delete from passkey')
  const writing = writeOn(url)
  await until(
    'the writer writes',
    async () => writing.acknowledged.length,
    (count) => count > 10,
  )
  const { config, secrets } = readConfig(settings)
  const snapshotAt = /committed until (\S+)\. /.exec(await backupCommand(config, secrets, [file]))![1]!
  await writing.stop()
  await portal.close()
  expect(openToOthers(join(dir, 'backups'))).toEqual([])

  const elsewhere = there('elsewhere')
  expect(await restoreCommand(elsewhere.config, elsewhere.secrets, [file, '--dry-run'])).toMatch(/Nothing was changed/)
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false)
  expect(await restoreCommand(elsewhere.config, elsewhere.secrets, [file])).toMatch(/all invariants hold/)
  const restored = await startEmbedded(join(dir, 'elsewhere'))
  try {
    const again = await startPortalOn(restored.url, { TRAINYARD_DATA: join(dir, 'elsewhere') })
    const query = `select count(*)::int from audit where request_id = 'written'`
    const [written] = (await queryDatabase(restored.url, query)) as { count: number }[]
    const before = writing.acknowledged.filter((at) => at < Date.parse(snapshotAt)).length
    expect(before).toBeGreaterThan(0)
    expect(written!.count).toBeGreaterThanOrEqual(before)
    expect(written!.count).toBeLessThan(writing.acknowledged.length)
    expect(await brokenInvariants(again.owner, { quiet: false })).toEqual([])
    const signIn = { email: PEOPLE.sandboxuser, password: 'the password of everybody' }
    const reply = await again.request('POST', '/user/login', { body: signIn })
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    await again.close()
  } finally {
    await restored.stop()
  }
  await expect(restoreCommand(elsewhere.config, elsewhere.secrets, [file])).rejects.toThrow(
    /already exists, and nothing/,
  )
})

test('needs the key of the installation, unless the operator says that it is lost', async () => {
  const none = { TRAINYARD_DATA: join(dir, 'without-key') }
  expect(() => readConfig(none, { forRestore: true })).toThrow(/^There is no secret\.key in .*without-key/)
  expect(existsSync(join(dir, 'without-key'))).toBe(false)
  const lost = there('lost-key', { LOST_KEYS: 'test' })
  expect(await restoreCommand(lost.config, lost.secrets, [file])).toMatch(
    /all invariants hold\.[^]*\nSome of \d+ stored secrets cannot be decrypted: they need the key test/,
  )
})

test('runs only one of two concurrent restores into one data folder and refuses the other restore', async () => {
  const { config, secrets } = there('restored-twice')
  const both = await Promise.allSettled([1, 2].map(() => restoreCommand(config, secrets, [file])))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(refused).toEqual([expect.stringMatching(/^DataInUse: .*restored-twice is in use by process \d+/)])
})

test('a killed restore leaves no database or a whole one, and can be repeated', async () => {
  const { config, secrets } = there('killed')
  const isThere = () => existsSync(join(dir, 'killed', 'postgres'))
  for (let attempt = 1; !isThere() && attempt < 30; attempt += 1) {
    const env = { ...process.env, TRAINYARD_DATA: join(dir, 'killed'), SECRET_KEYS }
    const child = spawn(process.execPath, [MAIN, 'restore', file], { env })
    const ended = new Promise((resolve) => child.on('close', resolve))
    await Promise.race([ended, pause(attempt * 700)])
    child.kill('SIGKILL')
    await ended
  }
  const restored = await startEmbedded(join(dir, 'killed'))
  try {
    const [count] = (await queryDatabase(restored.url, 'select count(*)::int as users from portal_user')) as object[]
    const [original] = (await queryDatabase(url, 'select count(*)::int as users from portal_user')) as object[]
    expect(count).toEqual(original)
  } finally {
    await restored.stop()
  }
  await expect(restoreCommand(config, secrets, [file])).rejects.toThrow(/already exists, and nothing/)
}, 300_000)

test('refuses a wrong data folder and unknown options, and creates nothing', async () => {
  const { config, secrets } = readConfig(settings)
  const nowhere = there('nowhere').config
  await expect(backupCommand(nowhere, secrets, [])).rejects.toThrow(
    /^There is no database in .*nowhere\. Set TRAINYARD_DATA/,
  )
  expect(existsSync(join(dir, 'nowhere', 'postgres'))).toBe(false)
  writeFileSync(join(dir, 'a-file'), '')
  await expect(backupCommand(config, secrets, [join(dir, 'a-file', 'below')])).rejects.toThrow(/cannot be written: /)
  for (const args of [['--help'], [join(dir, 'one'), join(dir, 'two')]])
    await expect(backupCommand(config, secrets, args)).rejects.toThrow('Name at most one file')
  expect(readdirSync(dir).filter((name) => /^(one|two)/.test(name))).toEqual([])
})
