import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../db/client.ts'
import { type Embedded, startEmbedded } from '../db/embedded/start-embedded.ts'
import { migrate } from '../db/migrate.ts'
import { startPortalOn, type TestPortal } from './test-portal.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-lost-'))
let database: Embedded
let portal: TestPortal

beforeAll(async () => {
  database = await startEmbedded(dir)
  const owner = connect({ connectionString: database.url }, { size: 1, as: 'owner' })
  await migrate(owner)
  await owner.destroy()
  portal = await startPortalOn(database.url)
  await portal.app.db
    .insertInto('portal_user')
    .values({ email: 'root@portal.test', role: 'superadmin', organisation_id: null, password_hash: null })
    .execute()
})
afterAll(async () => {
  await portal.close()
  await database.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('a database that is gone is a 503 that says when to ask again, and its return is noticed', async () => {
  const uid = await portal.sessionOf('root@portal.test')
  const list = () => portal.ask('GET', '/admin/organization', { uid })
  const create = (organization: string) => portal.ask('POST', '/admin/organization', { uid, body: { organization } })
  expect((await create('before')).status).toBe(200)

  await database.stop()
  for (const reply of [await list(), await create('lost')]) {
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(await reply.json()).toMatchObject({ code: 'unavailable' })
  }
  const health = await portal.ask('GET', '/health')
  expect(health.status).toBe(503)
  expect(await health.json()).toMatchObject({ status: 'down', parts: { database: 'down' } })

  database = await startEmbedded(dir)
  await vi.waitFor(async () => expect((await list()).status).toBe(200), { timeout: 30_000 })
  expect((await create('after')).status).toBe(200)
  expect(await (await list()).json()).toEqual({ organization: ['after', 'before'] })
}, 60_000)
