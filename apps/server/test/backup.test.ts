/** @module-tag full */
import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { backUpDaily, removeExpired } from '@trainyard/platform/server/db/backup/back-up.ts'
import { folderStore } from '@trainyard/platform/server/db/backup/folder-store.ts'
import { BACKUP_TASK, backupName, upgradeName } from '@trainyard/platform/server/db/backup/retention.ts'
import { verifyRestore } from '@trainyard/platform/server/db/backup/verify-restore.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { createEmptyDatabase } from '@trainyard/platform/test/database.ts'
import { type TestPortal, startPortalOn, startTestPortal } from '@trainyard/platform/test/portal.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { SERVER_MODULES } from '@trainyard/modules/server.ts'
import { tasksOf } from '@trainyard/platform/server/core/module.ts'
import { PACE } from '@trainyard/platform/server/run/parts.ts'
import { buildApp } from '../build-app.ts'
import { workerOf } from '../compose.ts'
import { backupStoreOf } from '../start/automatic-backups.ts'
import { backupCommand, restoreCommand } from '../start/backup-commands.ts'
import { createAllTables } from '../start/migrate-database.ts'
import { MAIN } from '../start/test-run.ts'
import { startS3 } from './s3-server.ts'
import { createSubjects } from './world.ts'

const POSTGRES_15 = '/usr/lib/postgresql/15/bin'
const cluster = inject('testCluster')
const dir = mkdtempSync(join(tmpdir(), 'trainyard-backup-'))
const file = join(dir, 'portal.backup')
const s3 = await startS3('the secret')
let portal: TestPortal
let settings: Record<string, string>
let made: string

beforeAll(async () => {
  portal = await startTestPortal(cluster)
  await createSubjects(portal)
  // Sign-in needs only a password.
  await sql`delete from passkey`.execute(portal.owner)
  // As in a portal that was not created today.
  await sql`create table pgboss.queue_stats_20200101 partition of pgboss.queue_stats
    for values from ('2020-01-01') to ('2020-01-02')`.execute(portal.owner)
  settings = { ...portal.settings }
  const { config, secrets } = readConfig(settings)
  made = await backupCommand(config, secrets, [file])
})
afterAll(async () => {
  await portal.close()
  await s3.stop()
  removeFolder(dir)
})

/** Restores with the settings of the portal, and those given. */
function restore(given: Record<string, string>, ...args: string[]) {
  const { config, secrets } = readConfig({ ...settings, ...given }, { forRestore: true })
  return restoreCommand(config, secrets, args)
}

async function intoEmptyDatabase<T>(callback: (url: string) => Promise<T>): Promise<T> {
  const { url, drop } = await createEmptyDatabase(cluster)
  try {
    return await callback(url)
  } finally {
    await drop()
  }
}

const tablesIn = (url: string) =>
  queryDatabase(url, `select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace`)

/** Returns a digest of the rows of each table, without tables that migrations and open portals write. */
async function contentOf(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p'
      and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
      and oid not in ('applied_area'::regclass, 'pgboss.version'::regclass)
      and oid::regclass::text not like 'pgboss.queue_stats%'`.execute(db)
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest
      from ${sql.raw(name)} r`.execute(db)
    content[name] = rows[0]!.digest
  }
  return content
}

test('restores every row, all keys and sequences into an empty database, and lets its users sign in', async () => {
  expect(made).toMatch(/^Backed up to .*portal\.backup: \d+ rows, 1 MB, .* It needs the key test:/)
  const before = await contentOf(portal.owner)
  expect(Object.keys(before).length).toBeGreaterThan(80)
  await intoEmptyDatabase(async (url) => {
    expect(await restore({ DATABASE_URL: url }, file, '--dry-run')).toMatch(
      /^portal\.backup is whole and can be restored to the database of DATABASE_URL: \d+ rows .*Nothing was changed\.$/,
    )
    expect(await tablesIn(url)).toEqual([{ tables: 0 }])
    expect(await restore({ DATABASE_URL: url }, file)).toMatch(/^Restored to .*; all invariants hold\.$/)
    await expect(restore({ DATABASE_URL: url }, file)).rejects.toThrow('has tables, and nothing is overwritten')

    const again = await startPortalOn(url, { SECRET_KEYS: settings['SECRET_KEYS']! })
    try {
      expect(await contentOf(again.owner)).toEqual(before)
      const rules = (db: Db) =>
        sql`select conrelid::regclass::text, conname, pg_get_constraintdef(oid) as rule from pg_constraint
          where connamespace = 'public'::regnamespace order by 1, 2, 3`.execute(db)
      expect((await rules(again.owner)).rows).toEqual((await rules(portal.owner)).rows)
      const disabled = sql`select tgname from pg_trigger where tgenabled <> 'O'`
      expect((await disabled.execute(again.owner)).rows).toEqual([])
      // This call writes an audit row, whose ID comes from a sequence.
      const signIn = { email: PEOPLE.sandboxuser, password: 'the password of everybody' }
      const reply = await again.request('POST', '/user/login', { body: signIn })
      expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
    } finally {
      await again.close()
    }
  })
})

test.skipIf(!existsSync(POSTGRES_15))('restores into PostgreSQL 15, if this machine has it', async () => {
  const folder = mkdtempSync(join(dir, 'postgres-15-'))
  const place = { ...embeddedPlace(folder), cluster: join(folder, 'cluster') }
  const { uid, gid } = place.osUser ?? { uid: process.getuid!(), gid: process.getgid!() }
  for (const each of [dir, folder]) chmodSync(each, 0o755)
  chownSync(folder, uid, gid)
  const options = { uid, gid, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' } }
  const control = (...args: string[]) =>
    promisify(execFile)(join(POSTGRES_15, 'pg_ctl'), ['-D', place.cluster, '-w', ...args], options)
  await control('initdb', '-o', '--username=postgres --auth=trust --encoding=UTF8')
  await control('start', '-l', join(folder, 'log'), '-o', `-k ${folder} -c listen_addresses=''`)
  try {
    const urlOf = (user: string, database: string) =>
      `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(folder)}`
    await queryDatabase(urlOf('postgres', 'postgres'), 'create role trainyard login createrole')
    await queryDatabase(urlOf('postgres', 'postgres'), 'create database trainyard owner trainyard')
    const url = urlOf('trainyard', 'trainyard')
    expect(await restore({ DATABASE_URL: url }, file)).toMatch(/all invariants hold/)
    const again = await startPortalOn(url, { SECRET_KEYS: settings['SECRET_KEYS']! })
    try {
      expect(await contentOf(again.owner)).toEqual(await contentOf(portal.owner))
    } finally {
      await again.close()
    }
  } finally {
    await control('stop', '-m', 'immediate')
  }
})

test('keeps encrypted backups in a bucket, and restores them only with their key', async () => {
  const identity = await generateX25519Identity()
  const bucket = {
    BACKUP_S3_URL: `${s3.url}/backups/of this portal`,
    BACKUP_S3_KEY_ID: 'key-1',
    BACKUP_S3_SECRET_KEY: 'the secret',
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  }
  const keyFile = (name: string, key: string) => {
    writeFileSync(join(dir, name), `# created: 2026\n${key}\n`)
    return join(dir, name)
  }
  const { config, secrets } = readConfig({ ...settings, ...bucket })
  s3.uploads.set('left', { key: `of this portal/${backupName(new Date(0))}`, parts: new Map() })
  for (let number = 0; number < 1_500; number += 1)
    s3.uploads.set(`left-${number}`, {
      key: `of this portal/${number % 2 === 0 ? backupName(new Date(number)) : upgradeName('1.0.0', '1.1.0', new Date(number))}`,
      parts: new Map(),
    })
  s3.uploads.set('of another program', { key: 'photo', parts: new Map() })
  expect(await backupCommand(config, secrets, [])).toMatch(/^Backed up to http:.*It is encrypted for age1/)
  expect([...s3.uploads.keys()]).toEqual(['of another program'])
  const [key, stored] = [...s3.objects][0]!
  expect(key).toMatch(/^of this portal\/trainyard-20.*Z-manual\.backup$/)
  expect(stored.includes('age-encryption.org/v1')).toBe(true)

  const name = key.split('/')[1]!
  await intoEmptyDatabase(async (url) => {
    const there = { ...bucket, DATABASE_URL: url }
    await expect(restore(there, 'no.backup')).rejects.toThrow(`There is no backup no.backup. ${s3.url}/backups`)
    await expect(restore(there, name)).rejects.toThrow('is encrypted for age1')
    const other = keyFile('other.key', await generateX25519Identity())
    await expect(restore(there, name, '--identity', other)).rejects.toThrow(
      /^The key does not decrypt .*, which is encrypted for age1/,
    )
    expect(await tablesIn(url)).toEqual([{ tables: 0 }])
    const own = keyFile('own.key', identity)
    expect(await restore(there, name, '--identity', own)).toMatch(/all invariants hold/)
  })
  const wrong = readConfig({ ...settings, ...bucket, BACKUP_S3_SECRET_KEY: 'another' })
  await expect(backupCommand(wrong.config, wrong.secrets, [])).rejects.toThrow(
    /^http:.* refuses GET: 403 SignatureDoesNotMatch The signature is wrong\.$/,
  )
})

test('refuses a file that is truncated, damaged, newer or of other tables, and changes nothing', async () => {
  const bytes = readFileSync(file)
  const end = bytes.indexOf(10)
  const header = JSON.parse(bytes.subarray('Trainyard backup '.length, end).toString()) as Record<string, unknown>
  const withHeader = (change: object) =>
    Buffer.concat([Buffer.from(`Trainyard backup ${JSON.stringify({ ...header, ...change })}`), bytes.subarray(end)])
  const middle = Math.floor((end + bytes.length) / 2)
  const flipped = Buffer.from(bytes)
  flipped[middle]! ^= 1
  const files: [string, Buffer, RegExp][] = [
    ['truncated', bytes.subarray(0, middle), /^truncated is truncated or damaged: it differs from what was written\.$/],
    ['without-end', bytes.subarray(0, -1), /^without-end is truncated or damaged/],
    ['longer', Buffer.concat([bytes, Buffer.from('more')]), /^longer is truncated or damaged/],
    ['damaged', flipped, /^damaged is truncated or damaged/],
    ['other-header', withHeader({ until: '2020-01-01T00:00:00.000Z' }), /^other-header is truncated or damaged/],
    ['newer', withHeader({ version: '99.0.0' }), /^newer is of version 99\.0\.0, which is newer than this program/],
    ['newer-format', withHeader({ format: 2 }), /^newer-format is of version .*, which is newer than this program/],
    [
      'tables',
      withHeader({ tables: { ...(header['tables'] as object), users: 'x' } }),
      /has other tables of users than this program/,
    ],
    [
      'other-key',
      withHeader({ keys: ['lost-2'] }),
      /^other-key needs the key lost-2, which is not configured \(test\)\./,
    ],
    ['picture', Buffer.from('GIF89a'), /^picture is not a backup of this program\.$/],
  ]
  await intoEmptyDatabase(async (url) => {
    for (const [name, content, refusal] of files) {
      writeFileSync(join(dir, name), content)
      await expect(restore({ DATABASE_URL: url }, join(dir, name))).rejects.toThrow(refusal)
    }
    await expect(restore({ DATABASE_URL: url }, dir)).rejects.toThrow('is a folder: restore it with the version')
    // The key of another installation can have the same name, so the check uses the stored secrets.
    const sameName = { SECRET_KEYS: `test:${Buffer.alloc(32, 8).toString('base64')}` }
    await expect(restore({ DATABASE_URL: url, ...sameName }, file)).rejects.toThrow(
      /key test decrypts none of the \d+ stored secrets/,
    )
    expect(await tablesIn(url)).toEqual([{ tables: 0 }])
  })
})

test('a dry run says what a restore would lose or lack, and makes no key', async () => {
  const folder = join(dir, 'not-made')
  const lost = readConfig({ TRAINYARD_DATA: folder, LOST_KEYS: 'test' }, { forRestore: true })
  expect(await restoreCommand(lost.config, lost.secrets, [file, '--dry-run'])).toMatch(
    /\. What only the key test decrypts is lost\. Nothing was changed\.$/,
  )
  expect(existsSync(folder)).toBe(false)
  const [role, name] = [`weak_${process.pid}`, `weak_${process.pid}`]
  await queryDatabase(cluster, `create role ${role} login`)
  await queryDatabase(cluster, `create database ${name} owner ${role}`)
  try {
    const url = new URL(settings['DATABASE_URL']!)
    Object.assign(url, { username: role, pathname: `/${name}` })
    await expect(restore({ DATABASE_URL: url.href }, file, '--dry-run')).rejects.toThrow(
      /^The owner weak_\d+ may not create the role weak_\d+_app of API and worker\./,
    )
    expect(
      await queryDatabase(url.href, "select nspname from pg_namespace where nspname in ('pgboss', 'installation')"),
    ).toEqual([])
  } finally {
    await queryDatabase(cluster, `drop database ${name}`)
    await queryDatabase(cluster, `drop role ${role}`)
  }
})

test('says that the disk is full, and leaves no file', async () => {
  const folder = mkdtempSync(join(dir, 'full-'))
  const env = { ...process.env, ...settings, INIT_CWD: folder }
  // A limit of one block for files has the effect of a full disk.
  const command = `ulimit -f 1; exec '${process.execPath}' '${MAIN}' backup '${folder}/new.backup'`
  const child = spawn('bash', ['-c', command], { env: { ...env, NODE_COMPILE_CACHE: '' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1)
  expect(output).toBe(`${folder}/new.backup cannot be written: the disk is full.\n`)
  expect(readdirSync(folder)).toEqual([])
})

test('runs one of several concurrent backups and refuses an existing file', async () => {
  const { config, secrets } = readConfig(settings)
  await expect(backupCommand(config, secrets, [file])).rejects.toThrow('portal.backup already exists. Name a new file.')
  await expect(backupCommand(config, secrets, [join(file, 'in-it')])).rejects.toThrow(
    /in-it cannot be written: its folder is a file\.$/,
  )
  const made = await Promise.allSettled(
    [1, 2, 3].map((number) => backupCommand(config, secrets, [join(dir, `same-${number}`)])),
  )
  expect(made.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(refused).toEqual(refused.map(() => 'NoBackup: Another backup is in progress. Try again when it has ended.'))
  await expect(backupCommand(config, secrets, [])).rejects.toThrow('Name a file, or set BACKUP_FOLDER or BACKUP_S3_URL')
})

const connect = () => new pg.Client({ connectionString: portal.settings['DATABASE_URL']! })

test('finds, keeps and deletes backups in a bucket with more names than one reply lists', async () => {
  const { config, secrets } = readConfig({
    ...settings,
    BACKUP_S3_URL: `${s3.url}/backups/many`,
    BACKUP_S3_KEY_ID: 'key-1',
    BACKUP_S3_SECRET_KEY: 'the secret',
  })
  const store = backupStoreOf(config, secrets)!
  const days = Array.from({ length: 1_001 }, (_, day) => backupName(new Date(Date.UTC(2020, 0, 1 + day))))
  const others = Array.from({ length: 1_500 }, (_, number) => `note-${number}`)
  for (const name of [...days, ...others]) s3.objects.set(`many/${name}`, Buffer.from('x'))
  expect((await store.list()).toSorted()).toEqual([...days, ...others].toSorted())
  await expect(store.write(days.at(-1)!, Readable.from([Buffer.from('y')]))).rejects.toThrow('already exists')
  await removeExpired({ store, keys: [], recipient: null, keep: 7 })
  const left = [...s3.objects.keys()].filter((key) => key.startsWith('many/trainyard')).toSorted()
  // Seven days, which contain the ends of two of four weeks and of one of twelve months.
  expect([left.at(-1), left.length]).toEqual([`many/${days.at(-1)}`, 7 + 2 + 11])
  expect([...s3.objects.keys()].filter((key) => key.startsWith('many/note'))).toHaveLength(1_500)
})

test('refuses a place with automatic backups of another portal', async () => {
  const store = folderStore(join(dir, 'shared'))
  const plan = { store, keys: ['test'], recipient: null, keep: 1 }
  const start = Date.now()
  const after = (hours: number) => new Date(start + hours * 3600_000)
  const other = await startTestPortal(cluster)
  try {
    for (const { owner } of [portal, other])
      await sql`insert into task (name, every) values (${BACKUP_TASK}, 600) on conflict do nothing`.execute(owner)
    const connectOther = () => new pg.Client({ connectionString: other.settings['DATABASE_URL'] })
    await backUpDaily(connectOther, plan, after(25))
    const [made] = readdirSync(join(dir, 'shared'))
    const refusal = `${store.place} has backups of another portal, such as ${made}. Use a folder or prefix of its own for each portal.`
    // Also on the day that has a backup.
    for (const hours of [26, 51]) await expect(backUpDaily(connect, plan, after(hours))).rejects.toThrow(refusal)
    expect(readdirSync(join(dir, 'shared'))).toEqual([made])
    // A damaged file says nothing: the one before it is read.
    writeFileSync(join(dir, 'shared', backupName(after(26))), 'x')
    await expect(backUpDaily(connect, plan, after(51))).rejects.toThrow(refusal)
    await backUpDaily(connectOther, plan, after(51))
    // A restored portal continues with its backups.
    await intoEmptyDatabase(async (url) => {
      const last = readdirSync(join(dir, 'shared')).at(-1)!
      await restore({ DATABASE_URL: url }, join(dir, 'shared', last))
      await backUpDaily(() => new pg.Client({ connectionString: url }), plan, after(76))
    })
    expect(readdirSync(join(dir, 'shared')).at(-1)).toBe(backupName(after(76)))
  } finally {
    await other.close()
  }
})

test('runs one of two concurrent restores into a database', async () => {
  await intoEmptyDatabase(async (url) => {
    const both = await Promise.allSettled([1, 2].map(() => restore({ DATABASE_URL: url }, file)))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(String(both.find((each) => each.status === 'rejected')?.reason)).toContain('nothing is overwritten')
    const rows = await queryDatabase(url, 'select count(*)::int > 0 as restored from organisation')
    expect(rows).toEqual([{ restored: true }])
  })
})

test('makes one backup per day, deletes expired ones and leaves other files', async () => {
  const folder = join(dir, 'daily')
  const plan = { store: folderStore(folder), keys: ['test'], recipient: null, keep: 1 }
  const start = Date.UTC(2030, 0, 1, 12)
  const after = (hours: number) => new Date(start + hours * 3600_000)
  await backUpDaily(connect, plan, after(0))
  writeFileSync(join(folder, `${backupName(after(1))}.part`), 'half')
  writeFileSync(join(folder, 'notes.part'), 'Mine')
  for (const hours of [1, 23, 25, 26, 50]) await backUpDaily(connect, plan, after(hours))
  // The last backup is also that of its week and month.
  expect(readdirSync(folder).toSorted()).toEqual(['notes.part', backupName(after(50))].toSorted())
  await backUpDaily(connect, plan, after(24 * 40))
  expect(readdirSync(folder)).toHaveLength(3)
})

test('a worker backs up daily and tests a restore weekly if a place is set, and retries seldom', async () => {
  const tasksWith = async (given: Record<string, string>) => {
    const { config, secrets } = readConfig({ ...settings, ...given })
    const app = buildApp(config, secrets, null, 'worker')
    const tasks = tasksOf(SERVER_MODULES, await workerOf(app), PACE)
    await app.db.destroy()
    const [backUp, restore] = ['back up the database', 'test the restore of a backup'].map((name) =>
      tasks.find((task) => task.name === name),
    )
    return { backUp, restore, run: (task: typeof backUp) => task!.run(new AbortController().signal) }
  }
  const folder = join(dir, 'of-worker')
  const { backUp, restore, run } = await tasksWith({ BACKUP_FOLDER: folder })
  // The database is new.
  await run(backUp)
  expect(existsSync(folder)).toBe(false)
  expect(await run(restore)).toEqual({ inSeconds: 86_400 })
  await sql`update applied_area set applied_at = applied_at - interval '25 hours'`.execute(portal.owner)
  await run(backUp)
  await run(backUp)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^trainyard-.*Z\.backup$/)])
  // The owner in tests may not create databases.
  await expect(run(restore)).rejects.toMatchObject({
    retryAfter: 86_400,
    message: expect.stringMatching(/createdb\.$/),
  })
  const none = await tasksWith({})
  expect([none.backUp, none.restore]).toEqual([undefined, undefined])
  const appOnly = await tasksWith({
    BACKUP_FOLDER: folder,
    DATABASE_APP_URL: readConfig(settings).secrets.databaseUrl,
    DATABASE_URL: '',
  })
  expect([appOnly.backUp?.name, appOnly.restore]).toEqual(['back up the database', undefined])
})

test('the restore test restores into a database of its own, and says what is wrong with the data', async () => {
  const folder = join(dir, 'tested')
  const identity = await generateX25519Identity()
  const plan = {
    store: folderStore(folder),
    keys: ['test'],
    recipient: await identityToRecipient(identity),
    keep: 7,
  }
  const { secrets } = readConfig(settings)
  const options = {
    creatorUrl: cluster,
    ownerUrl: portal.settings['DATABASE_URL']!,
    createTables: createAllTables,
    secrets: secrets.keys,
    lostKeys: [],
  }
  let seconds = 0
  const isTested = (change: object = {}) => {
    seconds += 1
    return verifyRestore(connect, plan, { ...options, ...change }, new Date(Date.now() + seconds * 1_000))
  }
  expect(await isTested()).toBe(false)
  await backUpDaily(connect, plan, new Date(Date.now() + 25 * 3600_000))
  expect(await isTested()).toBe(true)
  expect(await isTested()).toBe(true)
  const others = [{ id: 'other', bytes: Buffer.alloc(32, 5) }]
  await expect(isTested({ secrets: others })).rejects.toThrow(
    'stored secrets need the key test, which is not configured',
  )
  expect(await isTested({ secrets: others, lostKeys: ['test'] })).toBe(true)
  await expect(isTested({ creatorUrl: options.ownerUrl })).rejects.toThrow('the owner may not create one')
  await sql`update machine set observed = case when exists (select from run where machine_id = machine.id
    and stopped_at is null) then 'stopped' else 'running' end`.execute(portal.owner)
  await expect(isTested()).rejects.toThrow(/^trainyard-.*\.backup restores, but violates M2/)
  const { rows } = await sql<{
    name: string
  }>`select datname as name from pg_database where datname like '%_restore_test'`.execute(portal.owner)
  expect(rows).toEqual([])
})
