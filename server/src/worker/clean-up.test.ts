import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { sharedDatabase } from '#test/shared.ts'
import { cleanUp } from './clean-up.ts'

const { db } = await sharedDatabase({ size: 4, as: 'app' })
beforeAll(async () => {
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
  await sql`
    insert into worker_pulse (worker, seen_at) values
      ('gone', portal_now() - interval '25 hours'), ('silent', portal_now() - interval '23 hours')`.execute(db)
  await sql`
    insert into call_bucket (name, tokens, counted_at, closed_until) values
      ('full', 1, portal_now() - interval '25 hours', '-infinity'),
      ('in use', 1, portal_now() - interval '23 hours', '-infinity'),
      ('closed', 1, portal_now() - interval '25 hours', portal_now() + interval '1 hour')`.execute(db)
})
const left = async () => {
  const { rows } = await sql`select (select count(*)::int from session) as sessions,
    (select count(*)::int from invitation) as invitations,
    (select array_agg(worker order by worker) from worker_pulse) as workers,
    (select array_agg(name order by name) from call_bucket) as buckets`.execute(db)
  return rows[0]
}

test('expired rows are cleaned up: sessions at once, workers and buckets a day later, invitations a month', async () => {
  await cleanUp(db)
  const stays = { sessions: 1, invitations: 2, workers: ['silent'], buckets: ['closed', 'in use'] }
  expect(await left()).toEqual(stays)
})
