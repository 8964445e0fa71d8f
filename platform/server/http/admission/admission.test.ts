/** @module-tag full */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import fastify from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSubjects, PEOPLE } from '../../../test/world.ts'
import { sharedPortal } from '../../../test/shared.ts'
import { hashToken } from '../../core/tokens.ts'
import type { Claimant } from '../shares.ts'
import { AdmissionControl } from './admission.ts'

/** Number of database connections. Twice as many calls run concurrently, and 256 calls wait. */
const CONNECTIONS = 4
const RUNNING = 2 * CONNECTIONS
const WAITING = 256

const portal = await sharedPortal({ DATABASE_CONNECTIONS: String(CONNECTIONS) }, { deadlineFactor: 1 })
const { own } = await createSubjects(portal)
const uid = await portal.sessionOf(PEOPLE.admin)

const superadmin = await portal.sessionOf(PEOPLE.superadmin)

const list = (signal?: AbortSignal, by = uid) => {
  const query = { trainingName: own.trainingName, ...(by !== uid && { organization: own.organization }) }
  return portal.request('GET', '/azure/machines', { uid: by, query, signal })
}

/** Creates superadmins. Returns a session of each. */
async function crowdOf(count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, (_, n) => `crowd-${n}`)
  await sql`
    with person as (insert into portal_user (email, role)
      select 'crowd' || n || '@portal.test', 'superadmin' from generate_series(1, ${count}::int) n returning id)
    insert into session (token_hash, user_id, expires_at)
    select hash, id, portal_now() + interval '1 hour'
    from (select id, row_number() over () as n from person) p
      join unnest(${tokens.map(hashToken)}::bytea[]) with ordinality as t (hash, n) using (n)`.execute(portal.owner)
  return tokens
}

/** Number of queries that wait for the locked table. */
async function blockedReads(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks
    where not granted and database = (select oid from pg_database where datname = current_database())`.execute(
    portal.owner,
  )
  return rows[0]!.n
}

/** Runs `callback` while no call can read the table. */
async function withLockedTable(callback: () => Promise<void>, table = 'machine'): Promise<void> {
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const locking = portal.owner.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  try {
    await callback()
  } finally {
    release.resolve()
    await locking
  }
}

/** Sends the head of a request without its body. */
async function sendHeadersOnly(head: readonly string[], url = portal.url) {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write([head[0], `Host: ${host}`, ...head.slice(1), '', ''].join('\r\n'))
  return {
    send: (body: string) => socket.write(body),
    reply: async () => String((await once(socket, 'data'))[0]),
    close: () => socket.destroy(),
  }
}

const ORDER = ['POST /api/azure/machines HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1000']

test('answers 503 before the session lookup if the queue is full; health, webhooks and sign-in still work', async () => {
  const crowd = await crowdOf(RUNNING + WAITING)
  for (const token of crowd) await portal.request('GET', '/user/me', { uid: token })
  await withLockedTable(async () => {
    const disconnect = new AbortController()
    const excessCalls = crowd.map((token) =>
      list(disconnect.signal, token).then(
        ({ status }) => status,
        () => 'left',
      ),
    )
    await expect.poll(blockedReads).toBeGreaterThanOrEqual(CONNECTIONS)
    // The call is refused as busy before the lookup of its session, which does not exist.
    const refused = await portal.request('GET', '/azure/vmnames', { uid: 'unknown' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ code: 'unavailable', requestId: expect.any(String) })
    const [health, webhook, login] = await Promise.all([
      portal.request('GET', '/health'),
      portal.request('POST', '/payments/webhook', { body: {} }),
      portal.request('POST', '/user/login', {
        body: { email: PEOPLE.sandboxuser, password: 'the password of everybody' },
      }),
    ])
    expect(await health.json()).toMatchObject({ parts: { database: 'up' } })
    // The webhook answers 403 because the event has no signature.
    expect([webhook.status, login.status]).toEqual([403, 200])
    disconnect.abort()
    expect(new Set(await Promise.all(excessCalls))).not.toContain(200)
  })
  await expect.poll(async () => (await list()).status).toBe(200)
})

test('a user who fills the queue delays only their own calls', async () => {
  expect((await list()).status).toBe(200)
  await withLockedTable(async () => {
    const disconnect = new AbortController()
    const flood = Array.from({ length: RUNNING + WAITING }, () =>
      list(disconnect.signal).then(
        ({ status }) => status,
        () => 'left',
      ),
    )
    await expect.poll(blockedReads).toBe(CONNECTIONS - 1)
    expect((await portal.request('GET', '/azure/vmnames', { uid: 'unknown' })).status).toBe(401)
    expect((await portal.request('GET', '/user/keys', { uid: superadmin })).status).toBe(200)
    expect((await list()).status).toBe(503)
    disconnect.abort()
    expect(new Set(await Promise.all(flood))).not.toContain(200)
  })
  await expect.poll(async () => (await list()).status).toBe(200)
})

test('a flood of health checks occupies one of the connections of sign-in', async () => {
  await withLockedTable(async () => {
    const disconnect = new AbortController()
    const probe = () => portal.request('GET', '/health', { signal: disconnect.signal }).catch(() => 'left')
    const probes = Array.from({ length: 40 }, probe)
    await expect.poll(blockedReads).toBeGreaterThan(0)
    expect((await portal.request('GET', '/user/me', { uid })).status).toBe(200)
    expect(await blockedReads()).toBe(1)
    disconnect.abort()
    await Promise.all(probes)
  }, 'worker_pulse')
})

test('strangers of many networks leave places of sign-in to users', async () => {
  const server = fastify()
  const claimantOf = ({ headers }: IncomingMessage): Claimant => {
    const { user, address } = headers as Claimant
    return user === undefined ? { address: address! } : { user, organisation: user }
  }
  new AdmissionControl({ connections: 4, reserved: 4, meters: null, claimantOf }).mount(server)
  const finish = Promise.withResolvers<string>()
  let waiting = 0
  server.get('/challenge', { config: { callClass: 'signIn' } }, () => {
    waiting += 1
    return finish.promise
  })
  server.get('/me', { config: { callClass: 'signIn' } }, () => 'me')
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const flood = Array.from({ length: 30 }, (_, n) =>
    fetch(`${url}/challenge`, { headers: { address: `network ${n}` } }),
  )
  try {
    await expect.poll(() => waiting).toBeGreaterThan(2)
    expect((await fetch(`${url}/me`, { headers: { user: 'known' } })).status).toBe(200)
  } finally {
    finish.resolve('done')
    await Promise.all(flood)
    await server.close()
  }
})

test('calls that wait for the silent system of one organisation leave places to those of another', async () => {
  const server = fastify()
  const claimantOf = ({ headers }: IncomingMessage): Claimant => ({ address: String(headers['address']) })
  const admission = new AdmissionControl({ connections: 16, reserved: 4, meters: null, claimantOf })
  admission.mount(server)
  const finish = Promise.withResolvers<string>()
  let waiting = 0
  server.post<{ Params: { target: string } }>(
    '/sign-in/:target',
    { config: { callClass: 'signIn' } },
    async (request, reply) => {
      const { target } = request.params
      await setImmediate()
      admission.waitFor(target, reply)
      return admission.outside(request, async () => {
        waiting += 1
        return target === 'silent' ? finish.promise : 'done'
      })
    },
  )
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const call = async (target: string, address: string) => {
    const { status } = await fetch(`${url}/sign-in/${target}`, { method: 'POST', headers: { address } })
    return status
  }
  const flood = Array.from({ length: 2_200 }, (_, n) => call('silent', `network ${n % 100}`))
  try {
    await expect.poll(() => waiting).toBeGreaterThanOrEqual(200)
    // All others are refused, or wait as well.
    let answered = 0
    for (const each of flood) void each.then(() => (answered += 1))
    await expect.poll(() => answered >= 2_000 || waiting === 2_000).toBe(true)
    expect(await call('other', 'another network')).toBe(200)
  } finally {
    finish.resolve('done')
    await Promise.all(flood)
    await server.close()
  }
})

test('does not count calls whose body arrives slowly as running calls', async () => {
  const slow = await Promise.all(
    Array.from({ length: 2 * RUNNING }, () => sendHeadersOnly([...ORDER, `Authorization: Bearer ${uid}`])),
  )
  try {
    for (let call = 0; call < 3; call += 1) expect((await list()).status).toBe(200)
  } finally {
    for (const { close } of slow) close()
  }
})

test('unfinished bodies prevent no sign-in from the same address', async () => {
  const json = (path: string, length: number) => [
    `POST /api${path} HTTP/1.1`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ]
  const unfinished: Awaited<ReturnType<typeof sendHeadersOnly>>[] = []
  for (let number = 1; number <= 520; number += 1) {
    const request = await sendHeadersOnly(json('/lti/finish', 1_000))
    request.send('{')
    unfinished.push(request)
  }
  try {
    const credentials = JSON.stringify({ email: PEOPLE.sandboxuser, password: 'the password of everybody' })
    const login = await sendHeadersOnly(json('/user/login', credentials.length))
    login.send(credentials.slice(0, 10))
    // The server reads the first half before the second one is sent.
    expect((await portal.request('GET', '/health/live')).status).toBe(200)
    login.send(credentials.slice(10))
    expect(await login.reply()).toMatch(/^HTTP\/1\.1 200 /)
    login.close()
  } finally {
    for (const { close } of unfinished) close()
  }
})

test('cuts the oldest unfinished body of a user with too many', async () => {
  const head = [...ORDER, `Authorization: Bearer ${uid}`]
  const unfinished = []
  for (let number = 1; number <= 21; number += 1) {
    const request = await sendHeadersOnly(head)
    request.send('{')
    unfinished.push(request)
  }
  expect(await unfinished[0]!.reply()).toMatch(/^HTTP\/1\.1 408 /)
  for (const { close } of unfinished) close()
})

test('cuts a body that is incomplete at its deadline', async () => {
  const server = fastify()
  new AdmissionControl({ connections: 1, reserved: 1, meters: null, deadlineFactor: 0.001 }).mount(server)
  server.post('/change', { config: { callClass: 'change' } }, async () => 'done')
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  try {
    const head = ['POST /change HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 9']
    const unfinished = await sendHeadersOnly(head, url)
    unfinished.send('{')
    expect(await unfinished.reply()).toMatch(/^HTTP\/1\.1 408 /)
  } finally {
    await server.close()
  }
})

test('validates a body that has already arrived', async () => {
  const refused = await portal.request('POST', '/azure/machines', { uid, body: { unknown: 'x' } })
  expect(refused.status).toBe(400)
})
