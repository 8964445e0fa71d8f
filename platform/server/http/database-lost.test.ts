import { spawn } from 'node:child_process'
import { scrypt, type ScryptOptions } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, poolOf } from '../db/client.ts'
import { recordedPid } from '../db/embedded/cluster.ts'
import { embeddedPlace } from '../db/embedded/place.ts'
import { type Embedded, startEmbedded } from '../db/embedded/start-embedded.ts'
import { copyTestCluster } from '../db/embedded/test-cluster.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'
import { freePort } from '../../test/ports.ts'
import { startPortalOn, type TestPortal } from '../../test/portal.ts'
import { removeFolder } from '../../test/remove-folder.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-lost-'))
let database: Embedded
let portal: TestPortal

beforeAll(async () => {
  await copyTestCluster(dir)
  database = await startEmbedded(dir)
  const owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  await migrateAll(owner)
  await owner.destroy()
  portal = await startPortalOn(database.url, {}, { deadlineFactor: 1 })
  await portal.app.db
    .insertInto('portal_user')
    .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
    .execute()
})
afterAll(async () => {
  await portal.close()
  await database.stop()
  removeFolder(dir)
})

test('answers 503 with Retry-After while the database is down, and recovers afterwards', async () => {
  const uid = await portal.sessionOf('root@portal.test')
  const list = () => portal.request('GET', '/admin/organization', { uid })
  const create = (organization: string) =>
    portal.request('POST', '/admin/organization', { uid, body: { organization } })
  expect((await create('before')).status).toBe(200)

  await database.stop()
  for (const reply of [await list(), await create('lost')]) {
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    const message = 'The portal cannot reach its database. Try again shortly.'
    expect(await reply.json()).toMatchObject({ code: 'unavailable', message })
  }
  const health = await portal.request('GET', '/health')
  expect(health.status).toBe(503)
  expect(await health.json()).toMatchObject({ status: 'down', parts: { database: 'down' } })
  expect(await probeStatuses()).toEqual({ live: 200, ready: 503 })

  database = await startEmbedded(dir)
  await expect.poll(async () => (await list()).status).toBe(200)
  // No worker runs here, so the health call still reports 503.
  expect(await probeStatuses()).toEqual({ live: 200, ready: 200 })
  expect((await create('after')).status).toBe(200)
  expect(await (await list()).json()).toEqual({ organization: ['after', 'before'] })
})

/** Returns the HTTP statuses of the calls for liveness and readiness probes. */
async function probeStatuses() {
  const [live, ready] = await Promise.all(['live', 'ready'].map((name) => portal.request('GET', `/health/${name}`)))
  return { live: live!.status, ready: ready!.status }
}

test(
  'under overload it is alive but not ready: all connections and hashing threads are in use',
  { tags: ['storm'] },
  async () => {
    const { db } = portal.app
    const release = Promise.withResolvers<void>()
    const size = poolOf(db)!.options.max
    const connections = Array.from({ length: size }, () => db.connection().execute(() => release.promise))
    await expect.poll(() => poolOf(db)!.totalCount - poolOf(db)!.idleCount).toBe(size)
    const stopped = new AbortController()
    const hash = promisify<string, string, number, ScryptOptions, Buffer>(scrypt)
    const hashes = Array.from({ length: 8 }, async () => {
      while (!stopped.signal.aborted) await hash('password', 'salt', 32, { N: 2 ** 15, maxmem: 2 ** 26 })
    })
    try {
      const start = performance.now()
      const [live, ready] = await Promise.all([
        portal.request('GET', '/health/live').then(({ status }) => ({ status, ms: performance.now() - start })),
        portal.request('GET', '/health/ready'),
      ])
      expect(live.status).toBe(200)
      // The probes of deploy/helm allow 4 s at start and 10 s later.
      expect(live.ms).toBeLessThan(1_000)
      expect(ready.status).toBe(503)
      expect(ready.headers.get('retry-after')).toBe('5')
      expect(performance.now() - start).toBeLessThan(4_000)
    } finally {
      stopped.abort()
      release.resolve()
      await Promise.all([...connections, ...hashes])
    }
    await expect.poll(probeStatuses).toEqual({ live: 200, ready: 200 })
  },
)

test('answers 503 with instructions if the disk is full, changes nothing, and reports it as unhealthy', async () => {
  const uid = await portal.sessionOf('root@portal.test')
  const owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  const create = () => portal.request('POST', '/admin/organization', { uid, body: { organization: 'no room' } })
  // PostgreSQL raises this error when it cannot extend the file of a table.
  await sql`create function no_room() returns trigger language plpgsql as $$
    begin raise disk_full using message = 'could not extend file "base/16384/2619": No space left on device'; end $$`.execute(
    owner,
  )
  await sql`create trigger no_room before insert on audit execute function no_room()`.execute(owner)
  try {
    const reply = await create()
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('60')
    expect(await reply.json()).toMatchObject({
      code: 'unavailable',
      message:
        'The portal has no disk space left. Nothing was changed. Try again after the operator has freed disk space.',
    })
    const health = await portal.request('GET', '/health')
    expect(await health.json()).toMatchObject({ status: 'down', parts: { database: 'up', disk: 'down' } })
  } finally {
    await sql`drop function no_room cascade`.execute(owner)
    await owner.destroy()
  }
  expect((await create()).status).toBe(200)
  const health = await portal.request('GET', '/health')
  expect(await health.json()).toMatchObject({ parts: { disk: 'up' } })
})

/** Starts one process of the portal, as `npm run NAME` does. */
function startPart(name: 'api' | 'worker', port: number) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../apps/server/main.ts', import.meta.url)), name],
    {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'test',
        TRAINYARD_DATA: dir,
        DATABASE_URL: database.url,
        PORT: String(port),
        // No server listens at this port, because these tests need no cloud provider.
        EMULATOR_PORT: '9',
        EMULATOR_SMTP_PORT: '19',
      },
    },
  )
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, said: () => text, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

test(
  'API and worker wait for the database and report it, at start and after a crash of the database',
  { tags: ['storm'] },
  async () => {
    const port = await freePort()
    await database.stop()
    const parts = [startPart('api', port), startPart('worker', port)]
    const waits = (text: string) => text.match(/The database does not answer \(.+\); waiting for it\./g)?.length ?? 0
    const answers = (text: string) => text.match(/The database answers\./g)?.length ?? 0
    const health = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/api/health`)).json()
    const works = { parts: { database: 'up', worker: 'up' } }
    try {
      for (const { said } of parts) await expect.poll(() => waits(said())).toBeGreaterThan(0)
      expect(await health()).toMatchObject({ status: 'down', parts: { database: 'down' } })

      database = await startEmbedded(dir)
      await expect.poll(health).toMatchObject(works)
      for (const { said } of parts) await expect.poll(() => answers(said())).toBe(1)

      const [, worker] = parts
      const before = waits(worker!.said())
      process.kill(recordedPid(embeddedPlace(dir).cluster)!, 'SIGKILL')
      await database.lost
      await expect.poll(() => waits(worker!.said())).toBeGreaterThan(before)
      database = await startEmbedded(dir)
      await expect.poll(() => answers(worker!.said())).toBe(2)
      await expect.poll(health).toMatchObject(works)
      expect(parts.map(({ child }) => child.exitCode)).toEqual([null, null])
      // Outages are reported as sentences, not as one error per failed query.
      expect(worker!.said()).not.toContain('at async')
    } finally {
      for (const { child } of parts) child.kill('SIGTERM')
    }
    expect(await Promise.all(parts.map(({ ended }) => ended))).toEqual([0, 0])
  },
)
