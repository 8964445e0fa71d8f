import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readOnly } from '../doctor/settings.ts'
import { migrateDatabase } from '../start/migrate-database.ts'
import { until } from '../start/test-run.ts'
import { connect } from './client.ts'
import { embeddedPlace } from './embedded/place.ts'
import { type Embedded, startEmbedded } from './embedded/start-embedded.ts'
import { copyTestCluster } from './embedded/test-cluster.ts'
import { queryDatabase } from '#test/query-database.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { removeFolder } from '#test/remove-folder.ts'
import { hostsIn } from './hosts.ts'
import { listen } from './listen.ts'
import { isDatabaseLost } from './lost.ts'
import { appLoginOf, urlAs } from './roles.ts'
import { TestHost } from './test-host.ts'

test.each([
  ['postgres://u:p@one:1,two:2/db', ['postgres://u:p@one:1/db', 'postgres://u:p@two:2/db'], null],
  [
    'postgres://u@one,[::1]:2/db?sslmode=verify-full&target_session_attrs=read-write',
    ['postgres://u@one/db?sslmode=verify-full', 'postgres://u@[::1]:2/db?sslmode=verify-full'],
    'read-write',
  ],
  ['postgres://one/db?target_session_attrs=primary', ['postgres://one/db'], 'primary'],
  ['postgresql://u:a,b@localhost/db?host=%2Frun', ['postgresql://u:a,b@localhost/db?host=%2Frun'], null],
])('reads the hosts of %s', (url, urls, attributes) => {
  expect(hostsIn(url)).toEqual({ urls, attributes })
})

describe('two hosts', () => {
  let database: TestDatabase
  let one: TestHost
  let two: TestHost
  beforeAll(async () => {
    database = await createTestDatabase(inject('testCluster'))
    one = new TestHost(database.url)
    two = new TestHost(database.url)
    await Promise.all([one.start(), two.start()])
  })
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()])
    await database.drop()
  })
  const url = (of: string, query = '?target_session_attrs=read-write') => {
    const { username, pathname } = new URL(of)
    return `postgres://${username}@127.0.0.1:${one.port},127.0.0.1:${two.port}${pathname}${query}`
  }
  const reset = async () => {
    await Promise.all([one.stop(), two.stop()])
    await Promise.all([one.start(), two.start()])
    one.accepted = two.accepted = 0
  }

  test('connects to the host that is up when the other host goes down', async () => {
    await reset()
    const db = connect({ connectionString: url(database.appUrl) }, { size: 2, as: 'app' })
    const answers = async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]!.one
    try {
      await one.stop()
      expect(await answers()).toBe(1)
      expect(one.accepted).toBe(0)
      await one.start()
      await two.stop()
      await until('the first is found', () => answers().catch(() => false as const))
      expect(one.accepted).toBeGreaterThan(0)
      await two.start()
      await one.stop()
      await until('the second is found', () => answers().catch(() => false as const))
    } finally {
      await db.destroy()
    }
  })

  test('reports each host with a reason while all hosts are down, and recovers', async () => {
    await reset()
    await Promise.all([one.stop(), two.stop()])
    const db = connect({ connectionString: url(database.appUrl) }, { size: 1, as: 'app' })
    try {
      const error: unknown = await sql`select 1`.execute(db).catch((problem: unknown) => problem)
      expect(String(error)).toBe(
        `NoUsableHost: no host of the database can be used (127.0.0.1:${one.port}: connect ECONNREFUSED ` +
          `127.0.0.1:${one.port}; 127.0.0.1:${two.port}: connect ECONNREFUSED 127.0.0.1:${two.port})`,
      )
      expect(isDatabaseLost(error)).toBe(true)
      await two.start()
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    } finally {
      await db.destroy()
    }
  })

  test('reports a rejected login without trying the other host', async () => {
    await reset()
    const db = connect({ connectionString: url('postgres://nobody@x/none') }, { size: 1, as: 'app' })
    const error: unknown = await sql`select 1`.execute(db).catch((problem: unknown) => problem)
    await db.destroy()
    expect(String(error)).toMatch(/does not exist/)
    expect(isDatabaseLost(error)).toBe(false)
    expect(two.accepted).toBe(0)
  })

  test('receives notifications from the remaining host', async () => {
    await reset()
    const notifications: string[] = []
    let connects = 0
    const listening = listen(
      { connectionString: url(database.appUrl, '') },
      {
        channels: ['outage'],
        onNotification: (_channel, payload) => notifications.push(payload),
        onConnect: () => connects++,
      },
    )
    try {
      await until('it listens', () => connects === 1)
      await one.stop()
      await until('it listens again', () => connects === 2)
      await queryDatabase(database.url, `notify outage, 'over'`)
      await until('the notification arrives', () => notifications.includes('over'))
      expect(two.accepted).toBeGreaterThan(0)
    } finally {
      await listening.close()
    }
  })

  test("migrates on the host that is up, where the doctor's sessions are read-only", async () => {
    await reset()
    await one.stop()
    const ownerUrl = url(database.url)
    const secrets = { ownerUrl, databaseUrl: urlAs(ownerUrl, appLoginOf(ownerUrl)) }
    await migrateDatabase(secrets as Parameters<typeof migrateDatabase>[0])
    const readOnlyDb = connect({ connectionString: readOnly(secrets.databaseUrl) }, { size: 1, as: 'app' })
    try {
      const { rows } = await sql<{ name: string }>`select session_user as name`.execute(readOnlyDb)
      expect(rows).toEqual([{ name: 'trainyard_app' }])
      await expect(sql`insert into organisation (name) values ('x')`.execute(readOnlyDb)).rejects.toThrow(/read-only/)
    } finally {
      await readOnlyDb.destroy()
    }
  })
})

test('skips a standby until it is promoted', { tags: ['storm'] }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-standby-'))
  const dirs = [join(dir, 'one'), join(dir, 'two')]
  const places = dirs.map(embeddedPlace)
  const hosts = places.map(({ url }) => new TestHost(url))
  const running: Embedded[] = []
  try {
    await Promise.all(dirs.map(copyTestCluster))
    const [first, second] = await Promise.all(dirs.map((data) => startEmbedded(data)))
    running.push(second!)
    await first!.stop()
    writeFileSync(join(places[0]!.cluster, 'standby.signal'), '')
    running.push(await startEmbedded(dirs[0]!))
    await Promise.all(hosts.map((host) => host.start()))
    const ports = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const inRecovery = async (attributes: string) => {
      const connectionString = `postgres://trainyard@${ports}/trainyard?target_session_attrs=${attributes}`
      const db = connect({ connectionString }, { size: 1, as: 'owner' })
      try {
        return (await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)).rows[0]!.standby
      } finally {
        await db.destroy()
      }
    }
    expect(await inRecovery('any')).toBe(true)
    expect(await inRecovery('read-write')).toBe(false)
    await hosts[1]!.stop()
    await expect(inRecovery('read-write')).rejects.toThrow(/it is read-only; .*ECONNREFUSED/)
    await queryDatabase(places[0]!.superuserUrl, 'select pg_promote()')
    expect(await inRecovery('read-write')).toBe(false)
  } finally {
    await Promise.all(hosts.map((host) => host.stop()))
    await Promise.all(running.map((embedded) => embedded.stop()))
    removeFolder(dir)
  }
})
