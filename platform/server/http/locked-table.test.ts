/** @module-tag full */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { poolOf } from '../db/client.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'
import { untilWaitingForLock } from '../../test/lock-waits.ts'
import { createSubjects, PEOPLE } from '../../test/world.ts'
import { sharedPortal } from '../../test/shared.ts'

const portal = await sharedPortal({}, { deadlineFactor: 1 })
const { own } = await createSubjects(portal)
const uid = await portal.sessionOf(PEOPLE.admin)
const BUSY = 'The portal is busy. Please try again shortly.'

interface Answer {
  readonly status: number
  readonly ms: number
  readonly body: { readonly code?: string; readonly message?: string; readonly status?: string }
  readonly retryAfter: string | null
}

async function timed(call: () => Promise<Response>): Promise<Answer> {
  const start = performance.now()
  const reply = await call()
  const body = (await reply.json()) as Answer['body']
  return { status: reply.status, ms: performance.now() - start, body, retryAfter: reply.headers.get('retry-after') }
}

const list = () => portal.request('GET', '/azure/machines', { uid, query: { trainingName: own.trainingName } })
const health = () => portal.request('GET', '/health')
const signIn = () =>
  portal.request('POST', '/user/login', {
    body: { email: PEOPLE.sandboxuser, password: 'the password of everybody' },
  })

test(
  'a locked table delays only the calls that read it, which receive 503 with Retry-After; health and sign-in answer',
  { tags: ['storm'] },
  async () => {
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const locking = portal.owner.transaction().execute(async (tx) => {
      await sql`lock table machine in access exclusive mode`.execute(tx)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    try {
      const readers = Array.from({ length: 30 }, () => timed(list))
      await untilWaitingForLock(portal.owner, 2)
      const [up, login] = await Promise.all([timed(health), timed(signIn)])
      expect(up.body).toMatchObject({ parts: { database: 'up' } })
      expect(login).toMatchObject({ status: 200 })
      for (const { ms } of [up, login]) expect(ms).toBeLessThan(3_000)
      for (const answer of await Promise.all(readers)) {
        expect(answer).toMatchObject({
          status: 503,
          retryAfter: expect.stringMatching(/^[25]$/),
          body: { code: 'unavailable', message: BUSY },
        })
        expect(answer.ms).toBeLessThan(16_000)
      }
    } finally {
      release.resolve()
      await locking
    }
    expect((await list()).status).toBe(200)
  },
)

test('reports that the portal is busy, not that the database is down, if all connections are in use', async () => {
  const { db } = portal.app
  const release = Promise.withResolvers<void>()
  const size = poolOf(db)!.options.max
  const connections = Array.from({ length: size }, () => db.connection().execute(() => release.promise))
  await expect.poll(() => poolOf(db)!.totalCount - poolOf(db)!.idleCount).toBe(size)
  try {
    expect(await timed(list)).toMatchObject({ status: 503, body: { code: 'unavailable', message: BUSY } })
  } finally {
    release.resolve()
    await Promise.all(connections)
  }
})

test('each process limits statements, lock waits and idle transactions, and so does the role', async () => {
  const limits = async (db: typeof portal.app.db) => {
    const { rows } = await sql<{ name: string; seconds: number }>`
      select name, setting::int / 1000 as seconds from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db)
    return Object.fromEntries(rows.map(({ name, seconds }) => [name, seconds]))
  }
  expect(await limits(portal.app.db)).toEqual({
    statement_timeout: 20,
    lock_timeout: 10,
    idle_in_transaction_session_timeout: 60,
  })
  await migrateAll(portal.owner)
  const { rows } = await sql<{ set: string[] }>`
    select setconfig as set from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
    where datname = current_database() and setrole = 'trainyard_app'::regrole`.execute(portal.owner)
  expect(rows[0]?.set.map((each) => each.split('=')[0]).toSorted()).toEqual([
    'idle_in_transaction_session_timeout',
    'lock_timeout',
    'statement_timeout',
  ])
})
