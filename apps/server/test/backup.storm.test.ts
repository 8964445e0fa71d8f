import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { openToOthers } from '../start/test-file-modes.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects } from './world.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { backupCommand, restoreCommand } from '../start/backup-commands.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { backUp, UNFINISHED } from '@trainyard/platform/server/db/embedded/backup/back-up.ts'
import { backUpDaily, backupName, backupsIn } from '@trainyard/platform/server/db/embedded/backup/daily.ts'
import { MANIFEST, readManifest } from '@trainyard/platform/server/db/embedded/backup/manifest.ts'
import { KEYS, SECRET_KEYS, startBackupCluster } from './backup-cluster.ts'

const { dir, dataDir, settings, url, stop } = await startBackupCluster()
afterAll(stop)

/** Inserts rows one after another until stopped. Returns the time at which each was acknowledged. */
function writeOn(url: string) {
  const acknowledged: number[] = []
  const stopping = new AbortController()
  const done = (async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create table written (number int)')
    while (!stopping.signal.aborted) {
      await client.query('insert into written values ($1)', [acknowledged.length])
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

test('restores everything acknowledged from a backup under load, and lets its users sign in', async () => {
  const portal = await startPortalOn(url, settings)
  await createSubjects(portal)
  // Sign-in needs only a password.
  await queryDatabase(url, 'delete from passkey')
  const writing = writeOn(url)
  const folder = join(dir, 'backup')
  const manifest = await backUp(dataDir, folder, { keys: KEYS, recipient: null })
  await writing.stop()
  await portal.close()
  expect(openToOthers(folder)).toEqual([])

  const elsewhere = join(dir, 'elsewhere')
  const restoredConfig = readConfig({ TRAINYARD_DATA: elsewhere, SECRET_KEYS })
  expect(await restoreCommand(restoredConfig.config, restoredConfig.secrets, [folder])).toMatch(/all invariants hold/)
  const restored = await startEmbedded(elsewhere)
  try {
    const again = await startPortalOn(restored.url, { TRAINYARD_DATA: elsewhere })
    const [written] = (await queryDatabase(restored.url, 'select count(*)::int from written')) as { count: number }[]
    const before = writing.acknowledged.filter((at) => at < Date.parse(manifest.until)).length
    expect(before).toBeGreaterThan(10)
    expect(written!.count).toBeGreaterThanOrEqual(before)
    expect(await brokenInvariants(again.owner, { quiet: false })).toEqual([])
    const signIn = { email: PEOPLE.sandboxuser, password: 'the password of everybody' }
    const reply = await again.request('POST', '/user/login', { body: signIn })
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    await again.close()
  } finally {
    await restored.stop()
  }
  await expect(restoreCommand(restoredConfig.config, restoredConfig.secrets, [folder])).rejects.toThrow(
    /already exists, and nothing/,
  )
})

test('refuses to restore with a key that decrypts nothing, and names the needed key', async () => {
  const folder = join(dir, 'backup')
  expect(readManifest(folder).keys).toEqual(['test'])
  const empty = { TRAINYARD_DATA: join(dir, 'without-key') }
  expect(() => readConfig(empty, { forRestore: true })).toThrow(/^There is no secret\.key in .*without-key/)
  expect(existsSync(join(dir, 'without-key', 'secret.key'))).toBe(false)
  const restoreWith = (overrides: Record<string, string>) => {
    const { config, secrets } = readConfig({ ...empty, ...overrides })
    return restoreCommand(config, secrets, [folder])
  }
  await expect(restoreWith({})).rejects.toThrow(/needs the key test, which is not configured \(k-[0-9a-f]{12}\)/)
  expect(existsSync(join(dir, 'without-key', 'postgres'))).toBe(false)
  // The key of another installation can have the same name, so the check uses the stored secrets.
  const keyWithSameId = `test:${Buffer.alloc(32, 8).toString('base64')}`
  await expect(restoreWith({ SECRET_KEYS: keyWithSameId })).rejects.toThrow(
    /key test decrypts none of the \d+ stored secrets/,
  )
  const lost = readConfig({ TRAINYARD_DATA: join(dir, 'lost-key'), LOST_KEYS: 'test' }, { forRestore: true })
  expect(await restoreCommand(lost.config, lost.secrets, [folder])).toMatch(
    /all invariants hold\.[^]*\nSome of \d+ stored secrets cannot be decrypted: they need the key test/,
  )
})

test("refuses a folder inside PostgreSQL's data, because each copy would contain the former copy", async () => {
  const cluster = join(dataDir, 'postgres')
  const link = join(dir, 'link')
  symlinkSync(cluster, link)
  for (const folder of [join(cluster, 'copy'), join(link, 'base', 'deep', 'copy')]) {
    await expect(backUp(dataDir, folder, { keys: KEYS, recipient: null })).rejects.toThrow(
      `${folder} is in the data folder of PostgreSQL. Name a folder elsewhere.`,
    )
  }
  expect(readdirSync(cluster).filter((name) => name.startsWith('copy'))).toEqual([])
})

test('refuses a damaged or incomplete backup', async () => {
  const folder = join(dir, 'backup')
  appendFileSync(join(folder, 'postgres', 'PG_VERSION'), '!')
  const { config, secrets } = readConfig({ TRAINYARD_DATA: join(dir, 'third'), SECRET_KEYS })
  await expect(restoreCommand(config, secrets, [folder])).rejects.toThrow(
    'PG_VERSION differs from the file that was backed up',
  )
  rmSync(join(folder, MANIFEST))
  await expect(restoreCommand(config, secrets, [folder])).rejects.toThrow(/is not a complete backup/)
  expect(readdirSync(join(dir, 'third')).filter((name) => name.startsWith('postgres'))).toEqual([])
})

test('runs only one of several concurrent backups into one folder and refuses the other backups', async () => {
  const folder = join(dir, 'twice')
  const created = await Promise.allSettled(
    [1, 2, 3].map(() => backUp(dataDir, folder, { keys: KEYS, recipient: null })),
  )
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = created.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  const refusal = expect.stringMatching(/^NoBackup: (Another backup is in progress|.* already exists)/)
  expect(refused).toEqual([refusal, refusal])
  const { config, secrets } = readConfig({ TRAINYARD_DATA: join(dir, 'of-twice'), SECRET_KEYS })
  expect(await restoreCommand(config, secrets, [folder])).toContain('all invariants hold')
})

test('runs only one of two concurrent restores into one data folder and refuses the other restore', async () => {
  const { config, secrets } = readConfig({ TRAINYARD_DATA: join(dir, 'restored-twice'), SECRET_KEYS })
  const both = await Promise.allSettled([1, 2].map(() => restoreCommand(config, secrets, [join(dir, 'twice')])))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(refused).toEqual([expect.stringMatching(/^DataInUse: .*restored-twice is in use by process \d+/)])
})

test('refuses a wrong data folder, an existing folder and unknown options, and creates nothing', async () => {
  const { config, secrets } = readConfig(settings)
  const nowhere = readConfig({ TRAINYARD_DATA: join(dir, 'nowhere'), SECRET_KEYS }).config
  await expect(backupCommand(nowhere, secrets, [])).rejects.toThrow(
    /^There is no database in .*nowhere\. Set TRAINYARD_DATA/,
  )
  expect(existsSync(join(dir, 'nowhere', 'postgres'))).toBe(false)
  mkdirSync(join(dir, 'there'))
  writeFileSync(join(dir, 'a-file'), '')
  await expect(backupCommand(config, secrets, [join(dir, 'there')])).rejects.toThrow(/there already exists/)
  await expect(backupCommand(config, secrets, [join(dir, 'a-file', 'below')])).rejects.toThrow(/cannot be created: /)
  for (const args of [['--help'], [join(dir, 'one'), join(dir, 'two')]])
    await expect(backupCommand(config, secrets, args)).rejects.toThrow('Name at most one folder')
  expect(readdirSync(dir).filter((name) => /^(one|two|there\.part)/.test(name))).toEqual([])
})

test('deletes a folder with the name of the draft only if it is an unfinished backup', async () => {
  const { config, secrets } = readConfig(settings)
  const folder = join(dir, 'taken')
  const draft = `${folder}.part`
  const backup = () => backupCommand(config, secrets, [folder])
  const refusal = `${draft} exists and is not an unfinished backup of this version. Move it away, or name another folder`
  mkdirSync(draft)
  writeFileSync(join(draft, 'notes.txt'), 'Mine')
  await expect(backup()).rejects.toThrow(refusal)
  writeFileSync(join(draft, UNFINISHED), '')
  await expect(backup()).rejects.toThrow(refusal)
  expect(readFileSync(join(draft, 'notes.txt'), 'utf8')).toBe('Mine')
  rmSync(draft, { recursive: true })
  mkdirSync(join(dir, 'other-files'))
  symlinkSync(join(dir, 'other-files'), draft)
  await expect(backup()).rejects.toThrow(refusal)
  rmSync(draft)
  writeFileSync(draft, 'Mine')
  await expect(backup()).rejects.toThrow(refusal)
  rmSync(draft)

  mkdirSync(join(draft, 'postgres', 'base'), { recursive: true })
  writeFileSync(join(draft, UNFINISHED), '')
  expect(await backup()).toContain(`Backed up to ${folder}`)
  expect(readdirSync(folder).toSorted()).toEqual([MANIFEST, 'postgres'])
})

test('makes one backup per day and keeps the configured number', async () => {
  const plan = { dataDir, folder: join(dir, 'daily'), keys: KEYS, recipient: null, keep: 1 }
  const began = Date.now()
  const after = (hours: number) => new Date(began + hours * 3600_000)
  mkdirSync(join(plan.folder, 'half.part'), { recursive: true })
  mkdirSync(join(plan.folder, `${backupName(after(-30))}.part`, 'postgres'), { recursive: true })
  mkdirSync(join(plan.folder, 'mine.part', 'postgres'), { recursive: true })
  for (const hours of [1, 25, 26]) await backUpDaily(plan, after(hours))
  const last = backUpDaily(plan, after(50))
  mkdirSync(join(plan.folder, 'begun-meanwhile.part'))
  await last
  expect(backupsIn(plan.folder)).toEqual([backupName(after(50))])
  expect(readdirSync(plan.folder).toSorted()).toEqual(
    [backupName(after(50)), 'begun-meanwhile.part', 'mine.part'].toSorted(),
  )
})
