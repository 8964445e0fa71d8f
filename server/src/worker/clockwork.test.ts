import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from '../db/client.ts'
import { createTestDatabase, type TestDatabase } from '../db/embedded/test-database.ts'
import type { Db } from '../db/schema.ts'
import { startClockwork } from './clockwork.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase(inject('testCluster'))
  db = connect({ connectionString: database.appUrl }, { size: 4, as: 'app' })
  await sql`
    with learner as (
      insert into portal_user (email, role, organisation_id, password_hash)
      values ('sandbox@portal.test', 'sandboxuser', null, null) returning id
    ), sessions as (
      insert into session (token_hash, user_id, expires_at)
      select sha256(days::text::bytea), id, portal_now() + make_interval(days => days)
      from learner, unnest(array[-1, 1]) as days
    )
    insert into invitation (user_id, expires_at)
    select id, portal_now() + make_interval(days => days) from learner, unnest(array[-31, -29, 1]) as days`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const left = async () => {
  const { rows } = await sql`select (select count(*)::int from session) as sessions,
    (select count(*)::int from invitation) as invitations`.execute(db)
  return rows[0]
}

test('what ran out is cleaned up: sessions at once, invitations a month later', async () => {
  const faults: unknown[] = []
  const onFault = (fault: unknown) => faults.push(fault)
  const clockwork = startClockwork({ db, worker: 'test', mail: { host: '127.0.0.1', port: 1 }, onFault, say: () => {} })
  try {
    await expect.poll(left, { timeout: 15_000 }).toEqual({ sessions: 1, invitations: 2 })
  } finally {
    await clockwork.stop()
  }
  expect(faults).toEqual([])
})
