/** @module-tag full */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { createEmptyDatabase, createTestDatabase } from '@trainyard/platform/test/database.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { copyWithout } from '../../../scripts/leave-out.ts'
import { loginsAt, takenBack } from '../start/move-database.ts'
import { locked } from '../start/upgrade-steps.ts'
import { MAIN, ready, type Run, startRun, until } from '../start/test-run.ts'
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

/** Number of kills, for example `KILLS=20`. */
const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Number(process.env.STORM_SEED ?? 20_261_130)
const OWN = '1.0.0'
const dir = mkdtempSync(join(tmpdir(), 'trainyard-upgrade-'))
/** A made-up version with the migrations of two modules. The migrations of 1.1.0 are among them. */
const NEXT = join(dir, '1.2.0/apps/server/main.ts')
const MIGRATIONS = {
  'core/trainings/migrations/0001-rooms.sql': `alter table training add column room text not null default 'none';`,
  'addons/budgets/migrations/0002-note.sql': `alter table budget add column note text; drop table budget_alert_seen;
    create table budget_alert_seen_by (budget_id uuid references budget (id));`,
}

beforeAll(() => {
  const tree = join(dir, '1.2.0')
  copyWithout([], tree)
  for (const [file, text] of Object.entries(MIGRATIONS)) {
    mkdirSync(join(tree, file, '..'), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const manifest = readFileSync(join(tree, 'package.json'), 'utf8')
  writeFileSync(join(tree, 'package.json'), manifest.replace(`"version": "${OWN}"`, '"version": "1.2.0"'))
}, 120_000)
afterAll(() => removeFolder(dir))

const install = async () => installOn(dir, await createTestDatabase(inject('testCluster')))

const hasRooms = async ({ database }: Installation) =>
  queryDatabase(
    database.url,
    `select 1 as one from information_schema.columns where table_name = 'training' and column_name = 'room'`,
  ).then((rows) => rows.length === 1)

/** Returns the replies to reads while the process runs. */
async function repliesOf({ child }: ReturnType<typeof run>, at: Installation): Promise<Set<number>> {
  const statuses = new Set<number>()
  while (child.exitCode === null)
    await read(at).then(
      ({ status }) => statuses.add(status),
      () => pause(2),
    )
  return statuses
}

test('an upgrade that loses its lock changes nothing any more', async () => {
  const at = await install()
  const { config, secrets } = readConfig(at.settings)
  const none = () => undefined
  await locked(config, secrets, none, async ({ owner }) => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and objid = hashtext('trainyard upgrade')::bigint & 4294967295
        and database = (select oid from pg_database where datname = current_database())`.execute(owner)
    await queryDatabase(inject('testCluster'), `select pg_terminate_backend(${rows[0]!.pid}, 10000)`)
    await locked(config, secrets, none, async () => undefined)
    await expect(sql`select 1`.execute(owner)).rejects.toThrow('the connection that locked the database was lost')
  })
  await at.end()
})

test(
  'upgrades to a version that skips one, and meanwhile reads but refuses changes',
  { timeout: 240_000 },
  async () => {
    const at = await install()
    const old = [run(MAIN, at, 'api'), run(MAIN, at, 'worker')]
    await until('the old version is up', async () => (await versionOf(at)) === OWN)
    expect((await change(at, 'Before')).status).toBe(200)
    const writer = keepChanging(at)
    const prepared = run(NEXT, at, 'upgrade', 'prepare')
    let readsMeanwhile = 0
    while (prepared.child.exitCode === null) {
      const isRefusing = writer.refused.size > 0
      const reply = await read(at).catch(() => null)
      if (isRefusing && reply?.status === 200) readsMeanwhile += 1
      await pause(20)
    }
    await writer.stop()
    expect([await prepared.ended, prepared.output()]).toEqual([0, expect.stringContaining('all invariants hold')])
    expect(readsMeanwhile).toBeGreaterThan(0)
    expect([...writer.refused]).toContain(
      '503 after 30: The portal is being upgraded and accepts no changes for a moment. Nothing was changed. Try again shortly.',
    )
    // Processes of the old version end, and one that starts now reads nothing of the new tables before it ends.
    await Promise.all(old.map(({ ended }) => ended))
    const late = run(MAIN, at, 'api')
    expect(await repliesOf(late, at)).not.toContain(200)
    for (const each of [...old, late, run(MAIN, at, 'worker')]) {
      expect(await each.ended).toBe(1)
      expect(each.output()).toMatch(
        /The database is newer than this program: it has the tables of budgets\/0002-note, /,
      )
    }
    // A container's start does not end the upgrade.
    expect(await result(NEXT, at, 'migrate')).toEqual({
      code: 0,
      text: 'The upgrade to 1.2.0 waits for its check: npm run upgrade -- finish\n',
    })
    const next = [run(NEXT, at, 'api'), run(NEXT, at, 'worker')]
    await until('the new version is up', async () => (await versionOf(at)) === '1.2.0')
    expect((await change(at, 'Too early')).status).toBe(503)
    const finished = await result(NEXT, at, 'upgrade', 'finish', at.url)
    expect(finished.text).toMatch(
      /^Upgraded from 1\.0\.0 to 1\.2\.0\. The backup of 1\.0\.0 is trainyard-.*-1\.0\.0-before-1\.2\.0\.backup\.\n$/,
    )
    expect((await change(at, 'After')).status).toBe(200)
    await until('the worker is up', async () => (await fetch(`${at.url}/api/health/ready`)).status === 200)
    for (const { child } of next) child.kill('SIGTERM')
    expect(await Promise.all(next.map(({ ended }) => ended))).toEqual([0, 0])
    expect((await namesIn(at)).toSorted()).toEqual(['After', 'Before', ...writer.acknowledged].toSorted())
    expect(await hasRooms(at)).toBe(true)
    expect((await result(NEXT, at, 'upgrade')).text).toBe(
      'The database has the tables of version 1.2.0. Nothing had to be changed.\n',
    )
    expect((await result(MAIN, at, 'upgrade')).text).toMatch(/^The database is newer than this program/)
    await at.end()
  },
)

test('a version without new tables needs no pause, objects of others are not risked, and wrong arguments do nothing', async () => {
  const at = await install()
  const manifest = join(dir, '1.2.0/package.json')
  const text = readFileSync(manifest, 'utf8')
  try {
    await queryDatabase(at.database.url, 'create table mine (x integer)')
    const refused = await result(NEXT, at, 'upgrade')
    expect(refused).toEqual({
      code: 1,
      text: expect.stringMatching(/would be lost .*: mine\. .*Nothing was changed\.\n$/),
    })
    await queryDatabase(at.database.url, 'drop table mine; create role reader; grant select on training to reader')
    expect((await result(NEXT, at, 'upgrade', 'finish', 'localhost:1')).code).toBe(2)
    expect((await result(NEXT, at, 'upgrade', 'finish')).text).toMatch(
      /has the tables of an older version than 1\.2\.0\.\n$/,
    )
    expect((await result(NEXT, at, 'upgrade', 'prepare')).code).toBe(0)
    const next = run(NEXT, at, 'api')
    await until('the new version is up', async () => (await versionOf(at)) === '1.2.0')
    // A program of the old version that is started meanwhile does not take the upgrade back.
    expect((await result(MAIN, at, 'migrate')).text).toMatch(/^An upgrade from 1\.0\.0 to 1\.2\.0 was interrupted/)
    expect(await result(NEXT, at, 'upgrade', 'back')).toMatchObject({ code: 0 })
    // Its tables are gone, and it has ended before changes are allowed.
    expect([await next.ended, next.output()]).toEqual([1, expect.stringContaining('the upgrade was taken back.')])
    const early = run(NEXT, at, 'api')
    await until('it waits', () => early.output().includes('it has the tables of an older version: npm run upgrade'))
    expect((await read(at)).status).toBe(503)
    early.child.kill('SIGTERM')
    expect(await early.ended).toBe(0)
    const grants = await queryDatabase(
      at.database.url,
      `select has_table_privilege('reader', 'training', 'select') as may`,
    )
    expect(grants).toEqual([{ may: true }])
    expect((await result(NEXT, at, 'upgrade')).code).toBe(0)
    writeFileSync(manifest, text.replace('"version": "1.2.0"', '"version": "1.2.1"'))
    const old = run(NEXT, { settings: at.settings }, 'api')
    await until('it is up', async () => (await versionOf(at)) !== null)
    writeFileSync(manifest, text.replace('"version": "1.2.0"', '"version": "1.2.2"'))
    expect(await result(NEXT, at, 'upgrade')).toEqual({
      code: 0,
      text: 'The database has the tables of version 1.2.2. Nothing had to be changed.\n',
    })
    expect((await change(at, 'Still accepted')).status).toBe(200)
    old.child.kill('SIGTERM')
    expect(await old.ended).toBe(0)
  } finally {
    writeFileSync(manifest, text)
    await queryDatabase(at.database.url, 'drop owned by reader; drop role reader').catch(() => undefined)
    await at.end()
  }
}, 240_000)

test('comes back by itself if the new version fails its check', { timeout: 240_000 }, async () => {
  const at = await install()
  const broken = join(dir, '1.2.0/platform/migrations/0003-broken.sql')
  mkdirSync(join(broken, '..'), { recursive: true })
  const tell =
    /The database is that of 1\.0\.0 again, with everything it had; start version 1\.0\.0\. The upgrade to 1\.2\.0 was taken back\.\n$/
  try {
    // A migration that fails is rolled back; what the health check finds afterwards needs the backup.
    writeFileSync(broken, 'alter table nowhere add column x text')
    const failed = await result(NEXT, at, 'upgrade')
    expect(failed).toEqual({ code: 1, text: expect.stringMatching(tell) })
    expect(failed.text).toContain('The upgrade to 1.2.0 failed: relation "nowhere" does not exist. ')
    writeFileSync(broken, 'alter table worker_pulse rename to pulse')
    const unhealthy = await result(NEXT, at, 'upgrade')
    expect(unhealthy).toEqual({ code: 1, text: expect.stringMatching(tell) })
    expect(unhealthy.text).toMatch(
      /failed: the API at .* did not become healthy within 15 s: it is version 1\.2\.0, its database is down\./,
    )
  } finally {
    removeFolder(join(broken, '..'))
  }
  const api = run(MAIN, at, 'api')
  await until('the old version is up', async () => (await versionOf(at)) === OWN)
  expect((await change(at, 'After')).status).toBe(200)
  api.child.kill('SIGTERM')
  expect(await api.ended).toBe(0)
  expect(await hasRooms(at)).toBe(false)
  // The kept backup is restored by the new version, which then migrates its rows.
  const { database, end } = await install()
  await queryDatabase(
    database.url,
    'drop schema pgboss cascade; drop schema public cascade; create schema public; drop schema installation cascade',
  )
  const folder = join(at.settings['TRAINYARD_DATA']!, 'backups')
  const [backup] = readdirSync(folder)
  const settings = { ...at.settings, DATABASE_URL: database.url }
  const restored = await result(NEXT, { ...at, settings }, 'restore', join(folder, backup!))
  expect(restored).toEqual({
    code: 0,
    text: expect.stringMatching(/^Restored to the database of DATABASE_URL: .*all invariants hold\.\n$/),
  })
  expect(await hasRooms({ ...at, database })).toBe(true)
  await end()
  await at.end()
})

test(
  'upgrades into another database, and opens the old one again if the check there fails',
  { timeout: 240_000 },
  async () => {
    const at = await install()
    const empty = await createEmptyDatabase(inject('testCluster'))
    const there = { ...at, database: empty, settings: { ...at.settings, DATABASE_URL: empty.url } }
    expect((await result(NEXT, at, 'upgrade', 'finish', '--to', empty.url)).code).toBe(2)
    // Another spelling of the same address.
    const same = new URL(at.database.url)
    same.searchParams.set('host', `${same.searchParams.get('host')}/.`)
    expect((await result(NEXT, at, 'upgrade', '--to', same.href)).code).toBe(2)
    const withPassword = ['--to', 'postgres://trainyard:secret@localhost/x']
    for (const each of [withPassword, [withPassword.join('=')]])
      expect(await result(NEXT, at, 'upgrade', ...each)).toEqual({
        code: 2,
        text: expect.stringMatching(/^Other users can read a password in --to\. Set MOVE_TO_URL /),
      })
    expect((await result(NEXT, at, 'upgrade', '--to')).code).toBe(2)
    await queryDatabase(at.database.url, 'create table mine (x integer)')
    expect(await result(NEXT, at, 'upgrade', '--to', empty.url)).toEqual({
      code: 1,
      text: expect.stringMatching(/not the portal's: mine\. .* Nothing was changed\.\n$/),
    })
    await queryDatabase(at.database.url, 'drop table mine')
    await queryDatabase(empty.url, 'create table other (x integer)')
    expect(await result(NEXT, at, 'upgrade', '--to', empty.url)).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /^The database .* has tables, and nothing is overwritten\. Name an empty database\.\n$/,
      ),
    })
    await queryDatabase(empty.url, 'drop table other')
    const old = run(MAIN, at, 'api')
    await until('the old version is up', async () => (await versionOf(at)) === OWN)
    expect((await change(at, 'Before')).status).toBe(200)

    const prepared = await result(NEXT, at, 'upgrade', 'prepare', '--to', empty.url)
    expect(prepared).toEqual({
      code: 0,
      text: expect.stringMatching(/has the tables of 1\.2\.0\. Name it in DATABASE_URL .*npm run upgrade -- finish\n$/),
    })
    expect([await hasRooms(at), await hasRooms(there)]).toEqual([false, true])
    expect([(await change(at, 'Closed')).status, (await read(at)).status]).toEqual([503, 200])
    // Only one of the two can be opened.
    expect(await result(NEXT, at, 'upgrade', 'back')).toEqual({
      code: 1,
      text: expect.stringMatching(/^The database was moved to .*: npm run upgrade -- back --to DATABASE_URL/),
    })
    const { config, secrets } = readConfig(at.settings)
    await locked(
      config,
      secrets,
      () => undefined,
      async (source) => {
        const lost = connect({ host: '127.0.0.1', port: await freePort() }, { size: 1, as: 'owner' })
        const target = { ...source, secrets: loginsAt(empty.url, secrets), owner: lost }
        expect((await takenBack(source, target, new Error('lost'))).message).toMatch(
          /^The move failed: lost\. It could not be taken back .*, and the old database accepts no changes\./,
        )
      },
    )
    expect((await change(at, 'Still closed')).status).toBe(503)
    const second = await install()
    expect(await result(NEXT, second, 'upgrade', '--to', empty.url)).toEqual({
      code: 1,
      text: expect.stringMatching(/ was filled by another move, from .* Nothing was changed\./),
    })
    expect((await result(NEXT, second, 'upgrade', 'back', '--to', empty.url)).text).toBe(
      'No upgrade is in progress. Nothing was changed. To undo a finished one, restore its backup.\n',
    )
    await second.end()
    // A kill before the last step.
    await queryDatabase(
      empty.url,
      `update installation.installed set upgrade = jsonb_set(upgrade, '{phase}', '"restoring"')`,
    )
    expect((await result(NEXT, there, 'upgrade', 'finish')).code).toBe(1)
    expect((await result(NEXT, at, 'upgrade', 'prepare', '--to', empty.url)).code).toBe(0)
    // Nothing answers on that port.
    const failed = run(NEXT, there, 'upgrade', 'finish', `http://127.0.0.1:${await freePort()}`)
    // The new database does not take the portal of a program that is started meanwhile.
    failed.child.kill('SIGKILL')
    await failed.ended
    expect((await result(NEXT, there, 'upgrade', 'back')).text).toMatch(
      /^This database is empty again\. .* is unchanged/,
    )
    expect(await result(NEXT, there, 'migrate')).toMatchObject({ code: 1 })
    expect(await result(NEXT, there, 'upgrade')).toMatchObject({ code: 1 })
    expect((await result(NEXT, there, 'upgrade', 'back')).text).toMatch(/^This database is empty, and may be used/)
    expect(await result(MAIN, at, 'upgrade', 'back', '--to', empty.url)).toMatchObject({ code: 0 })
    expect((await change(at, 'Open again')).status).toBe(200)

    const broken = join(dir, '1.2.0/platform/migrations/0003-broken.sql')
    mkdirSync(join(broken, '..'), { recursive: true })
    try {
      writeFileSync(broken, 'alter table worker_pulse rename to pulse')
      const unhealthy = await result(NEXT, at, 'upgrade', '--to', empty.url)
      expect(unhealthy).toEqual({
        code: 1,
        text: expect.stringMatching(
          /The move failed: the API at .* did not become healthy .* The database accepts changes again; start version 1\.0\.0\./,
        ),
      })
    } finally {
      removeFolder(join(broken, '..'))
    }
    expect((await change(at, 'And again')).status).toBe(200)
    const named = { settings: { ...at.settings, MOVE_TO_URL: empty.url } }
    expect(await result(NEXT, named, 'upgrade', '--to')).toEqual({
      code: 0,
      text: expect.stringMatching(/\nMoved to .*\. Name it in DATABASE_URL .*start API and workers of 1\.2\.0\./),
    })
    old.child.kill('SIGTERM')
    await old.ended
    const next = run(NEXT, there, 'api')
    await until('the new version is up', async () => (await versionOf(at)) === '1.2.0')
    expect((await change(there, 'After')).status).toBe(200)
    next.child.kill('SIGTERM')
    await next.ended
    const names = await queryDatabase(empty.url, 'select name from organisation order by name')
    expect(names.map((row) => (row as { name: string }).name)).toEqual(['After', 'And again', 'Before', 'Open again'])
    await at.end()
    await empty.drop()
  },
)

test('npm start upgrades its own database, and the old version refuses it then', { timeout: 240_000 }, async () => {
  const data = mkdtempSync(join(dir, 'embedded-data-'))
  chmodSync(dir, 0o755)
  const ports = { http: await freePort(), emulator: await freePort(), smtp: await freePort() }
  const end = async (each: Run) => {
    each.child.kill('SIGTERM')
    expect(await each.ended).toBe(0)
  }
  const old = startRun(data, ports)
  await ready(old)
  const settings = { ...process.env, TRAINYARD_DATA: data, LOG_LEVEL: 'silent' }
  const running = await result(NEXT, { settings }, 'upgrade')
  expect(running).toEqual({
    code: 1,
    text: expect.stringContaining('Trainyard is already running there. Stop it first'),
  })
  await end(old)
  const next = startRun(data, ports, { main: NEXT })
  expect(await ready(next)).toMatch(
    /Backed up to .*data.*\nMigrated; all invariants hold\.\nUpgraded from 1\.0\.0 to 1\.2\.0\./,
  )
  await end(next)
  const refused = startRun(data, ports)
  expect([await refused.ended, refused.output()]).toEqual([
    1,
    expect.stringContaining('The database is newer than this program'),
  ])
  const again = startRun(data, ports, { main: NEXT })
  expect(await ready(again)).not.toContain('Upgraded')
  await end(again)
})

test(
  `survives ${KILLS} kills at random moments, and loses no acknowledged change`,
  { timeout: 120_000 * (KILLS + 1) },
  async () => {
    let seed = SEED
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const report: string[] = []
    for (let killed = 0; killed < KILLS;) {
      const at = await install()
      const old = run(MAIN, at, 'api')
      await until('the old version is up', async () => (await versionOf(at)) === OWN)
      const writer = keepChanging(at)
      const line: string[] = []
      let last: readonly [number | string, number, string] | null = null
      for (let hasEnded = false; !hasEnded;) {
        const isBack = line.length > 0 && random() < 0.5
        // A restore that was begun is finished by either command.
        const isRestoring = (await phaseOf(at)).startsWith('restoring')
        // Either program takes an upgrade back.
        const main = isBack && random() < 0.5 ? MAIN : NEXT
        const upgrade = run(main, at, 'upgrade', ...(isBack ? ['back'] : []))
        const targets = isBack ? ['restoring, backed up'] : ['backup', 'backup, backed up', 'migrated, backed up']
        const target = targets[Math.floor(random() * targets.length)]
        if (killed < KILLS && line.length < 2) {
          // A moment in a phase, because the phases differ in length by a factor of a hundred.
          while (upgrade.child.exitCode === null && (await phaseOf(at)) !== target) await pause(5)
          await Promise.race([upgrade.ended, pause(random() ** 2 * 2_000)])
        } else await upgrade.ended
        if (upgrade.child.exitCode === null) {
          upgrade.child.kill('SIGKILL')
          await upgrade.ended
          killed += 1
          line.push(`killed ${isBack ? 'back' : 'upgrade'} in: ${await phaseOf(at)}`)
        } else {
          last = [await upgrade.ended, isRestoring && !isBack ? 1 : 0, upgrade.output()]
          hasEnded = true
        }
      }
      expect(last).toEqual([last![1], last![1], expect.anything()])
      await writer.stop()
      old.child.kill('SIGTERM')
      await old.ended
      expect(await phaseOf(at)).toBe('none')
      const [{ version }] = (await queryDatabase(at.database.url, 'select version from installation.installed')) as [
        { version: string },
      ]
      const main = version === OWN ? MAIN : NEXT
      expect(await hasRooms(at)).toBe(main === NEXT)
      const api = run(main, at, 'api')
      await until('a version is up', async () => (await versionOf(at)) === version)
      expect((await change(at, 'After')).status).toBe(200)
      api.child.kill('SIGTERM')
      await api.ended
      expect((await namesIn(at)).toSorted()).toEqual(['After', ...writer.acknowledged].toSorted())
      expect(await result(main, at, 'invariants')).toMatchObject({ code: 0 })
      report.push(`${line.join(', ')}: now ${version}, ${writer.acknowledged.length} changes kept`)
      await at.end()
    }
    process.stdout.write(`${report.join('\n')}\n`)
  },
)
