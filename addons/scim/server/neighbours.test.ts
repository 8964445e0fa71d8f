import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import { startPortalOn } from '@trainyard/platform/test/portal.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedEnvironment()

async function tokenOf(name: string): Promise<string> {
  const admin = await env.signIn('admin', `admin@${name}.test`, await env.organisation(name))
  return (await admin('POST', '/admin/scim/tokens', { name, days: 30 })).body.token
}
const [one, other] = [await tokenOf('one'), await tokenOf('other')]

// A token may send three requests per minute.
const settings = { ...env.portal.settings, PORT: String(await freePort()), RATE_LIMIT_FACTOR: '0.001' }
const limited = await startPortalOn(env.portal.settings['DATABASE_URL']!, settings)
afterAll(() => limited.close())

const users = (url: string, token: string) =>
  fetch(`${url}/scim/v2/Users?count=1`, { headers: { authorization: `Bearer ${token}` } })

test("the requests of one organisation's directory are not counted for another at the same address", async () => {
  for (let n = 0; n < 5; n += 1) await users(limited.url, `made-up-${n}`)
  const statuses: number[] = []
  for (let n = 0; n < 4; n += 1) statuses.push((await users(limited.url, one)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  expect((await users(limited.url, other)).status).toBe(200)
})

test('slow requests of a directory take no place of callers without a session', async () => {
  const { url } = env.portal
  expect((await users(url, one)).status).toBe(200)
  const ended = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const lock = env.db.transaction().execute(async (tx) => {
    await sql`lock table scim_user in access exclusive mode`.execute(tx)
    locked.resolve()
    await ended.promise
  })
  await locked.promise
  const slow = Array.from({ length: 4 }, () => users(url, one))
  try {
    await untilWaitingForLock(env.db, 4)
    const stranger = fetch(`${url}/api/registration?code=ABCDEFGHJKLM`)
    const first = await Promise.race([
      stranger.then(() => 'stranger'),
      ...slow.map((reply) => reply.then(() => 'slow')),
    ])
    expect(first).toBe('stranger')
  } finally {
    ended.resolve()
    await lock
    await Promise.all(slow)
  }
})
